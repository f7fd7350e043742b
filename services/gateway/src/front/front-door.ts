import type { IncomingMessage, ServerResponse } from 'node:http'
import { ANONYMOUS, newId, REQUEST_ID_HEADER } from '@storefront/contracts'
import { inSpan, isWellFormedRequestId, clientNetwork } from '@storefront/chassis'
import type { GatewayConfig } from '../config.ts'
import type { EdgeCache } from '../edge-cache/edge-cache.ts'
import { cacheKey } from '../edge-cache/key.ts'
import type { GeneralLimit } from '../rate-limit/general-limit.ts'
import { internalError, methodNotAllowed, notFound, overloaded, tooMany } from '../refusals.ts'
import { findRoute } from '../routes.ts'
import { sentStatus, type AccessLog } from './access-log.ts'
import { refuse } from './answer.ts'
import { clientAddress } from './client-address.ts'
import type { EdgeHeadersTable } from './edge-headers.ts'
import type { LoadShedding } from './load-shedding.ts'
import type { Patience } from './patience.ts'
import { headRefusal, headSize, MAX_PATH_LENGTH, roomForLargeHeads } from './request-head.ts'
import { readTarget } from './request-target.ts'
import { hurryBody } from './slow-bodies.ts'
import { takingIn } from './take-in.ts'
import { hasBody } from './unfinished-heads.ts'
import { endVisitSpan, startVisitSpan } from './visit-span.ts'
import { countRateLimited, countShed } from './refusal-metrics.ts'
import { rememberVisit, type Visit } from './visit.ts'

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
  patience: Patience
  cache: EdgeCache
  log: AccessLog
  reportFault: (error: unknown, visit: Visit | undefined) => void
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The entry of every request. Whatever needs no web framework is handled here to save its cost: preflights, requests
 * over a limit, unknown paths, and responses in the edge cache. All others go on to `inside`.
 */
export function frontDoor(parts: FrontDoorParts, inside: Handler): Handler {
  const { config, cache, load, log, patience } = parts
  const withCache = config.EDGE_CACHE === 'on'
  const takeRoom = roomForLargeHeads()
  const takeIn = takingIn(load)

  function greet(request: IncomingMessage): Visit {
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
      span: PROBES.has(path) ? undefined : startVisitSpan({ requestId, method, route, https }, headers),
      hop: undefined,
      allowance: undefined,
      cache: undefined,
      actor: ANONYMOUS,
      fault: undefined,
      body: undefined,
    }
  }

  function enter(visit: Visit, request: IncomingMessage, response: ServerResponse): void {
    inSpan(visit.span, () => inside(request, response))
  }

  function finish(visit: Visit, status: number): void {
    log(visit, status)
    endVisitSpan(visit, status)
  }

  function fetchOrPass(
    key: string | undefined,
    visit: Visit,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    cache.answerByFetching(key, visit, request, response).then(
      (answered) => {
        if (!answered) enter(visit, request, response)
      },
      (error: unknown) => {
        parts.reportFault(error, visit)
        if (!response.headersSent) refuse(response, visit, internalError())
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
      if (hasBody(request)) hurryBody(request, response, undefined, patience)
      const asked = greet(request)
      response.once('close', () => log(asked, sentStatus(response)))
      response.writeHead(204, [...parts.headers.preflight(request.headers.origin), REQUEST_ID_HEADER, asked.requestId])
      response.end()
      return
    }
    const visit = greet(request)
    if (hasBody(request)) {
      rememberVisit(request, visit)
      hurryBody(request, response, visit, patience)
    }
    const probe = visit.route?.to === 'gateway' && PROBES.has(visit.path)
    const fromProvider = visit.route?.fromProviders === true && method === 'POST'
    const limit = fromProvider ? parts.providerLimit : parts.limit
    if (!probe) visit.allowance = limit.count(clientNetwork(visit.address))

    const reading = method === 'GET' || method === 'HEAD'
    const forEverybody = reading && visit.route?.cacheable === true
    const key = forEverybody && withCache ? cacheKey(visit.target) : undefined
    const unacceptable = headRefusal(size, url, visit.path)
    const welcome = visit.allowance?.exceeded !== true
    if (key !== undefined && welcome && !unacceptable) {
      if (cache.answerFromStore(key, visit, request, response, () => finish(visit, response.statusCode))) return
    }

    response.once('close', () => finish(visit, sentStatus(response)))
    rememberVisit(request, visit)
    if (!welcome) {
      countRateLimited(fromProvider ? 'webhooks' : 'general')
      refuse(response, visit, tooMany(visit.allowance?.resetSeconds ?? 1))
    } else if (!METHODS.has(method)) refuse(response, visit, methodNotAllowed(), ALLOW)
    else if (unacceptable) refuse(response, visit, unacceptable)
    else if (!visit.route) refuse(response, visit, notFound())
    else if (visit.route.to === 'gateway' && !reading)
      refuse(response, visit, methodNotAllowed(), ['allow', 'GET, HEAD'])
    else if (room === 'none') {
      countShed()
      refuse(response, visit, overloaded())
    } else if (probe) enter(visit, request, response)
    else {
      takeIn(visit, request, response, () => {
        guard(response, () => {
          if (forEverybody) fetchOrPass(key, visit, request, response)
          else enter(visit, request, response)
        })
      })
    }
  }

  return (request, response) => guard(response, () => receive(request, response))
}
