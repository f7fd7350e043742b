import type { IncomingMessage, ServerResponse } from 'node:http'
import { ANONYMOUS, newId, REQUEST_ID_HEADER } from '@storefront/contracts'
import { inSpan, isWellFormedRequestId } from '@storefront/service'
import { clientNetwork } from '@storefront/http'
import type { GatewayConfig } from '../config.ts'
import type { EdgeCache } from '../edge-cache/edge-cache.ts'
import { cacheKey } from '../edge-cache/key.ts'
import type { GeneralLimit } from '../rate-limit/general-limit.ts'
import { internalError, methodNotAllowed, notFound, overloaded, tooMany } from '../errors.ts'
import { findRoute } from '../routes.ts'
import { sentStatus, type AccessLog } from './access-log.ts'
import { reject } from './send-error.ts'
import { clientAddress } from './client-address.ts'
import type { EdgeHeadersTable } from './edge-headers.ts'
import type { LoadShedding } from './load-shedding.ts'
import type { Timeouts } from './timeouts.ts'
import { headError, headSize, MAX_PATH_LENGTH, roomForLargeHeads } from './request-head.ts'
import { readTarget } from './request-target.ts'
import { limitBodyTime } from './slow-bodies.ts'
import { workStarter } from './start-work.ts'
import { hasBody } from './unfinished-heads.ts'
import { endRequestSpan, startRequestSpan } from './request-span.ts'
import { countRateLimited, countShed } from './rejection-metrics.ts'
import { rememberRequestContext, type RequestContext } from './request-context.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
const ALLOW = ['allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS']
/** Requested by monitoring, with or without the base path in front. */
const PROBES = new Set(['/healthz', '/readyz', '/readyz/gateway'])

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
  reportFault: (error: unknown, context: RequestContext | undefined) => void
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The entry of every request. Whatever needs no web framework is handled here to save its cost: preflights, requests
 * over a limit, unknown paths, and responses in the edge cache. All others go on to `inside`.
 */
export function frontDoor(parts: FrontDoorParts, inside: Handler): Handler {
  const { config, cache, load, log, timeouts } = parts
  const withCache = config.EDGE_CACHE === 'on'
  const takeRoom = roomForLargeHeads()
  const startWork = workStarter(load)

  function contextFor(request: IncomingMessage): RequestContext {
    const { url = '/', method = 'GET', headers } = request
    const proxied = config.TRUST_PROXY > 0
    const https = proxied && headers['x-forwarded-proto'] === 'https'
    const wanted = PROBES.has(url) ? { target: url, path: url } : readTarget(url, config.PUBLIC_BASE_PATH)
    const { target, path } = wanted ?? { target: '', path: '' }
    const givenId = headers[REQUEST_ID_HEADER]
    const requestId = isWellFormedRequestId(givenId) ? givenId : newId('request')
    const route = wanted && path.length <= MAX_PATH_LENGTH ? findRoute(path) : undefined
    return {
      requestId,
      method,
      target,
      path,
      route,
      address: clientAddress(request.socket.remoteAddress, headers['x-forwarded-for'], config.TRUST_PROXY),
      https,
      headers: parts.headers.for(path, headers.origin, https),
      startedMs: performance.now(),
      span: PROBES.has(path) ? undefined : startRequestSpan({ requestId, method, route, https }, headers),
      upstreamSpan: undefined,
      allowance: undefined,
      cache: undefined,
      actor: ANONYMOUS,
      fault: undefined,
      body: undefined,
    }
  }

  function enter(context: RequestContext, request: IncomingMessage, response: ServerResponse): void {
    inSpan(context.span, () => inside(request, response))
  }

  function finish(context: RequestContext, status: number): void {
    log(context, status)
    endRequestSpan(context, status)
  }

  function fetchOrPass(
    key: string | undefined,
    context: RequestContext,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    cache.respondByFetching(key, context, request, response).then(
      (responded) => {
        if (!responded) enter(context, request, response)
      },
      (error: unknown) => {
        parts.reportFault(error, context)
        if (!response.headersSent) reject(response, context, internalError())
      },
    )
  }

  /** An error thrown here would end the process, and with it all other requests. */
  function guard(response: ServerResponse, work: () => void): void {
    try {
      work()
    } catch (error) {
      parts.reportFault(error, undefined)
      response.destroy()
    }
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/' } = request
    const size = headSize(request)
    const room = takeRoom(size, response)
    if (room === 'overdrawn') {
      request.socket.destroy()
      return
    }
    if (method === 'OPTIONS') {
      if (hasBody(request)) limitBodyTime(request, response, undefined, timeouts)
      const context = contextFor(request)
      response.once('close', () => log(context, sentStatus(response)))
      response.writeHead(204, [
        ...parts.headers.preflight(request.headers.origin),
        REQUEST_ID_HEADER,
        context.requestId,
      ])
      response.end()
      return
    }
    const context = contextFor(request)
    if (hasBody(request)) {
      rememberRequestContext(request, context)
      limitBodyTime(request, response, context, timeouts)
    }
    const probe = context.route?.to === 'gateway' && PROBES.has(context.path)
    const fromProvider = context.route?.fromProviders === true && method === 'POST'
    const limit = fromProvider ? parts.providerLimit : parts.limit
    if (!probe) context.allowance = limit.count(clientNetwork(context.address))

    const reading = method === 'GET' || method === 'HEAD'
    const isPublic = reading && context.route?.cacheable === true
    const key = isPublic && withCache ? cacheKey(context.target) : undefined
    const unacceptable = headError(size, url, context.path)
    const isWithinLimit = context.allowance?.exceeded !== true
    if (key !== undefined && isWithinLimit && !unacceptable) {
      if (cache.respondFromStore(key, context, request, response, () => finish(context, response.statusCode))) return
    }

    response.once('close', () => finish(context, sentStatus(response)))
    rememberRequestContext(request, context)
    if (!isWithinLimit) {
      countRateLimited(fromProvider ? 'webhooks' : 'general')
      reject(response, context, tooMany(context.allowance?.resetSeconds ?? 1))
    } else if (!METHODS.has(method)) reject(response, context, methodNotAllowed(), ALLOW)
    else if (unacceptable) reject(response, context, unacceptable)
    else if (!context.route) reject(response, context, notFound())
    else if (context.route.to === 'gateway' && !reading)
      reject(response, context, methodNotAllowed(), ['allow', 'GET, HEAD'])
    else if (room === 'none') {
      countShed()
      reject(response, context, overloaded())
    } else if (probe) enter(context, request, response)
    else {
      startWork(context, request, response, () => {
        guard(response, () => {
          if (isPublic) fetchOrPass(key, context, request, response)
          else enter(context, request, response)
        })
      })
    }
  }

  return (request, response) => guard(response, () => receive(request, response))
}
