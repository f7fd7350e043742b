import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { REQUEST_ID_HEADER } from '@storefront/contracts'
import { clientNetwork } from '@storefront/http'
import { inSpan } from '@storefront/service'
import type { GatewayConfig } from '../config.ts'
import type { EdgeCache } from '../edge-cache/edge-cache.ts'
import { cacheKey } from '../edge-cache/key.ts'
import { methodNotAllowed, notFound, overloaded, tooMany } from '../errors.ts'
import type { GeneralLimit } from '../rate-limit/general-limit.ts'
import { sentStatus, type AccessLog } from './access-log.ts'
import type { EdgeHeadersTable } from './edge-headers.ts'
import type { LoadShedding } from './load-shedding.ts'
import { countRateLimited, countShed } from './rejection-metrics.ts'
import { isProbe, isPublicRead, requestContextOf } from './request-context.ts'
import { headError, roomForLargeHeads } from './request-head.ts'
import { endRequestSpan, startRequestSpan } from './request-span.ts'
import { limitBodyTime } from './slow-bodies.ts'
import { workStarter } from './start-work.ts'
import type { Timeouts } from './timeouts.ts'
import { hasBody } from './unfinished-heads.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

export interface FrontDoorParts {
  config: Pick<GatewayConfig, 'PUBLIC_BASE_PATH' | 'STOREFRONT_ORIGINS' | 'TRUST_PROXY' | 'EDGE_CACHE'>
  headers: EdgeHeadersTable
  limit: GeneralLimit
  /** Replaces it for webhooks of payment providers. */
  providerLimit: GeneralLimit
  load: LoadShedding
  timeouts: Timeouts
  cache: EdgeCache
  log: AccessLog
}

/** What each request passes, from top to bottom, before its route: most requests end here, without a service. */
export function addFrontDoor(app: FastifyInstance, parts: FrontDoorParts): void {
  const { cache, timeouts } = parts
  const withCache = parts.config.EDGE_CACHE === 'on'
  const takeRoom = roomForLargeHeads()
  const startWork = workStarter(parts.load)

  const begin: onRequestHookHandler = ({ raw }, reply, done) => {
    const context = requestContextOf(raw)
    const room = takeRoom(context.head, reply.raw)
    if (room === 'overdrawn') {
      reply.hijack()
      raw.socket.destroy()
      return
    }
    context.hasRoom = room === 'enough'
    if (context.method !== 'OPTIONS' && !isProbe(context)) context.span = startRequestSpan(context, raw.headers)
    reply.raw.once('close', () => {
      const status = sentStatus(reply.raw)
      parts.log(context, status)
      endRequestSpan(context, status)
    })
    if (hasBody(raw)) limitBodyTime(raw, reply.raw, context, timeouts)
    done()
  }

  const respondToPreflight: onRequestHookHandler = ({ raw }, reply, done) => {
    if (raw.method !== 'OPTIONS') return done()
    const { requestId } = requestContextOf(raw)
    reply.hijack()
    reply.raw.writeHead(204, [...parts.headers.preflight(raw.headers.origin), REQUEST_ID_HEADER, requestId]).end()
  }

  const limitRate: onRequestHookHandler = ({ raw }, _reply, done) => {
    const context = requestContextOf(raw)
    if (isProbe(context)) return done()
    const fromProvider = context.route?.fromProviders === true && context.method === 'POST'
    const limit = fromProvider ? parts.providerLimit : parts.limit
    context.allowance = limit.count(clientNetwork(context.address))
    if (context.allowance?.exceeded !== true) return done()
    countRateLimited(fromProvider ? 'webhooks' : 'general')
    done(tooMany(context.allowance.resetSeconds))
  }

  const rejectUnacceptable: onRequestHookHandler = ({ raw, originalUrl }, reply, done) => {
    const { method, route, path, head, hasRoom } = requestContextOf(raw)
    const error = headError(head, originalUrl, path)
    if (!METHODS.has(method)) {
      reply.header('allow', [...METHODS, 'OPTIONS'].join(', '))
      return done(methodNotAllowed())
    }
    if (error) return done(error)
    if (!route) return done(notFound())
    if (route.to === 'gateway' && method !== 'GET' && method !== 'HEAD') {
      reply.header('allow', 'GET, HEAD')
      return done(methodNotAllowed())
    }
    if (hasRoom) return done()
    countShed()
    done(overloaded())
  }

  /** @returns undefined for a response that must not be cached */
  const keyOf = (target: string) => (withCache ? cacheKey(target) : undefined)

  const respondFromCache: onRequestHookHandler = ({ raw }, reply, done) => {
    const context = requestContextOf(raw)
    const key = isPublicRead(context) ? keyOf(context.target) : undefined
    if (key === undefined || !cache.respondFromStore(key, context, raw, reply.raw)) return done()
    reply.hijack()
  }

  const waitForBodyAndSlot: onRequestHookHandler = ({ raw }, reply, done) => {
    const context = requestContextOf(raw)
    if (isProbe(context)) done()
    else startWork(context, raw, reply.raw, done)
  }

  const respondByFetching: onRequestHookHandler = ({ raw }, reply, done) => {
    const context = requestContextOf(raw)
    if (!isPublicRead(context)) return done()
    cache.respondByFetching(keyOf(context.target), context, raw, reply.raw).then((responded) => {
      if (responded) reply.hijack()
      else done()
    }, done)
  }

  const enterSpan: onRequestHookHandler = ({ raw }, _reply, done) => inSpan(requestContextOf(raw).span, done)

  for (const step of [
    begin,
    respondToPreflight,
    limitRate,
    rejectUnacceptable,
    respondFromCache,
    waitForBodyAndSlot,
    respondByFetching,
    enterSpan,
  ]) {
    app.addHook('onRequest', step)
  }
}
