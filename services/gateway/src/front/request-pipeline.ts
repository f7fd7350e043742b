import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { REQUEST_ID_HEADER } from '@storefront/contracts'
import { clientNetwork } from '@storefront/http'
import { inSpan } from '@storefront/service'
import type { GatewayConfig } from '../config.ts'
import type { EdgeCache } from '../edge-cache/edge-cache.ts'
import { cacheKey } from '../edge-cache/key.ts'
import { badRequest, methodNotAllowed, notFound, overloaded, tooMany } from '../errors.ts'
import type { GeneralLimit } from '../rate-limit/general-limit.ts'
import { sentStatus, type AccessLog } from './access-log.ts'
import type { EdgeHeadersTable } from './edge-headers.ts'
import type { LoadShedding } from './load-shedding.ts'
import { countRateLimited, countShed } from './rejection-metrics.ts'
import {
  isProbe,
  isPublicRead,
  isRead,
  requestContextOf,
  type ContextParts,
  type RequestContext,
} from './request-context.ts'
import { headError, limitHeadMemory, namesItsHost } from './request-head.ts'
import { endRequestSpan, startRequestSpan } from './request-span.ts'
import { limitBodyTime } from './slow-bodies.ts'
import { workStarter } from './start-work.ts'
import type { Timeouts } from './timeouts.ts'
import { hasBody } from './unfinished-heads.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

export interface PipelineParts {
  config: Pick<GatewayConfig, 'PUBLIC_BASE_PATH' | 'STOREFRONT_ORIGINS' | 'TRUST_PROXY' | 'EDGE_CACHE'>
  headers: EdgeHeadersTable
  storefrontCaller: ContextParts['storefrontCaller']
  limit: GeneralLimit
  /** Replaces it for webhooks of payment providers. */
  providerLimit: GeneralLimit
  load: LoadShedding
  timeouts: Timeouts
  cache: EdgeCache
  accessLog: AccessLog
}

/**
 * The hooks that each request passes before its route, in this order. A request that is rejected here, or answered from
 * the cache, never reaches a service.
 */
export function addRequestPipeline(app: FastifyInstance, parts: PipelineParts): void {
  const steps = [
    begin(parts),
    respondToPreflight(parts),
    limitRate(parts),
    rejectUnacceptable,
    respondFromCache(parts),
    waitForBodyAndSlot(parts),
    respondByFetching(parts),
    enterSpan,
  ]
  for (const step of steps) app.addHook('onRequest', step)
}

function begin({ accessLog, timeouts }: PipelineParts): onRequestHookHandler {
  const reserveMemory = limitHeadMemory()
  return ({ raw }, reply, done) => {
    const context = requestContextOf(raw)
    const decision = reserveMemory(context.head, reply.raw)
    if (decision === 'cut off') {
      reply.hijack()
      raw.socket.destroy()
      return
    }
    context.fitsInMemory = decision === 'proceed'
    if (isTraced(context)) context.span = startRequestSpan(context, raw.headers)
    reply.raw.once('close', () => {
      const status = sentStatus(reply.raw)
      accessLog(context, status)
      endRequestSpan(context, status)
    })
    if (hasBody(raw)) limitBodyTime(raw, reply.raw, context, timeouts)
    done()
  }
}

/** Live updates have no span: it would end with their connection, hours later. */
function isTraced(context: RequestContext): boolean {
  return context.method !== 'OPTIONS' && !isProbe(context) && context.route?.lasting !== true
}

function respondToPreflight({ headers }: PipelineParts): onRequestHookHandler {
  return ({ raw }, reply, done) => {
    if (raw.method !== 'OPTIONS' || !namesItsHost(raw)) return done()
    const { requestId } = requestContextOf(raw)
    reply.hijack()
    reply.raw.writeHead(204, [...headers.preflight(raw.headers.origin), REQUEST_ID_HEADER, requestId]).end()
  }
}

function limitRate({ limit, providerLimit }: PipelineParts): onRequestHookHandler {
  return ({ raw }, _reply, done) => {
    const context = requestContextOf(raw)
    if (isProbe(context) || context.fromStorefront) return done()
    const fromProvider = context.route?.fromProviders === true && context.method === 'POST'
    context.allowance = (fromProvider ? providerLimit : limit).count(clientNetwork(context.address))
    if (context.allowance?.exceeded !== true) return done()
    countRateLimited(fromProvider ? 'webhooks' : 'general')
    done(tooMany(context.allowance.resetSeconds))
  }
}

const rejectUnacceptable: onRequestHookHandler = ({ raw, originalUrl }, reply, done) => {
  const context = requestContextOf(raw)
  const { route } = context
  const tooLarge = headError(context.head, originalUrl, context.path)
  if (!namesItsHost(raw)) done(badRequest())
  else if (!METHODS.has(context.method)) {
    reply.header('allow', [...METHODS, 'OPTIONS'].join(', '))
    done(methodNotAllowed())
  } else if (tooLarge) done(tooLarge)
  else if (!route) done(notFound())
  else if (route.to === 'gateway' && !isRead(context)) {
    reply.header('allow', 'GET, HEAD')
    done(methodNotAllowed())
  } else done()
}

function respondFromCache({ cache, config }: PipelineParts): onRequestHookHandler {
  return ({ raw }, reply, done) => {
    const context = requestContextOf(raw)
    const key = keyOf(context, config)
    if (key === undefined || !cache.respondFromStore(key, context, raw, reply.raw)) return done()
    reply.hijack()
  }
}

function waitForBodyAndSlot({ load }: PipelineParts): onRequestHookHandler {
  const startWork = workStarter(load)
  return ({ raw }, reply, done) => {
    const context = requestContextOf(raw)
    if (!context.fitsInMemory) {
      countShed()
      done(overloaded())
    } else if (isProbe(context) || context.route?.lasting) done()
    else startWork(context, raw, reply.raw, done)
  }
}

function respondByFetching({ cache, config }: PipelineParts): onRequestHookHandler {
  return ({ raw }, reply, done) => {
    const context = requestContextOf(raw)
    if (!isPublicRead(context)) return done()
    cache.respondByFetching(keyOf(context, config), context, raw, reply.raw).then((responded) => {
      if (responded) reply.hijack()
      else done()
    }, done)
  }
}

/** From here on, spans belong to the trace of the request. */
const enterSpan: onRequestHookHandler = ({ raw }, _reply, done) => inSpan(requestContextOf(raw).span, done)

/** @returns undefined for a response that must not be cached */
function keyOf(context: RequestContext, { EDGE_CACHE }: PipelineParts['config']): string | undefined {
  return EDGE_CACHE === 'on' && isPublicRead(context) ? cacheKey(context.target) : undefined
}
