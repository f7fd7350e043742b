import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ANONYMOUS, newId, REQUEST_ID_HEADER, type Actor } from '@storefront/contracts'
import { isWellFormedRequestId, type Span } from '@storefront/service'
import type { GatewayConfig } from '../config.ts'
import type { Allowance } from '../rate-limit/allowance.ts'
import { clientAddress } from './client-address.ts'
import type { EdgeHeaders, EdgeHeadersTable } from './edge-headers.ts'
import { findRoute } from './match-route.ts'
import { headSize, MAX_PATH_LENGTH, type HeadSize } from './request-head.ts'
import { readTarget } from './request-target.ts'
import type { Route } from './routes.ts'
import type { StorefrontCaller } from './storefront-key.ts'

export type CacheOutcome = 'HIT' | 'MISS' | 'STALE' | 'BYPASS'

/** The context of one request in the gateway: what is known on arrival, and the result. */
export interface RequestContext {
  readonly requestId: string
  readonly method: string
  /** Path and query below the base path, as `readTarget` returns them: what the service gets. */
  readonly target: string
  readonly path: string
  readonly route: Route | undefined
  readonly head: HeadSize
  /** Whether there was memory for a large head. */
  fitsInMemory: boolean
  readonly address: string
  /** Sent by the server of a storefront for itself: shoppers' limits do not apply. */
  readonly fromStorefront: boolean
  readonly https: boolean
  readonly headers: EdgeHeaders
  readonly startedMs: number
  /** Undefined while tracing is off, and for probes. */
  span: Span | undefined
  /** Of the running request to a service. */
  upstreamSpan: Span | undefined
  allowance: Allowance | undefined
  cache: CacheOutcome | undefined
  actor: Actor
  /** The failure between gateway and service, for the log. */
  fault: string | undefined
  /** A small body, as soon as it is complete; a larger one, or one of unknown length, streams. */
  body: Buffer | undefined
}

/** The paths that monitoring requests, with or without the base path. */
const PROBES = new Set(['/healthz', '/readyz', '/readyz/gateway'])

const contexts = new WeakMap<IncomingMessage, RequestContext>()

export interface ContextParts {
  config: Pick<GatewayConfig, 'PUBLIC_BASE_PATH' | 'TRUST_PROXY'>
  headers: EdgeHeadersTable
  storefrontCaller: (headers: IncomingHttpHeaders) => StorefrontCaller | undefined
}

/** Reads the properties of a request before the framework routes it. */
export function createRequestContext(
  request: IncomingMessage,
  { config, headers: edgeHeaders, storefrontCaller }: ContextParts,
): RequestContext {
  const { url = '/', method = 'GET', headers } = request
  const https = config.TRUST_PROXY > 0 && headers['x-forwarded-proto'] === 'https'
  const wanted = PROBES.has(url) ? { target: url, path: url } : readTarget(url, config.PUBLIC_BASE_PATH)
  const { target, path } = wanted ?? { target: '', path: '' }
  const givenId = headers[REQUEST_ID_HEADER]
  const direct = clientAddress(request.socket.remoteAddress, headers['x-forwarded-for'], config.TRUST_PROXY)
  const caller = storefrontCaller(headers)
  const context: RequestContext = {
    requestId: isWellFormedRequestId(givenId) ? givenId : newId('request'),
    method,
    target,
    path,
    route: wanted && path.length <= MAX_PATH_LENGTH ? findRoute(path) : undefined,
    head: headSize(request),
    fitsInMemory: true,
    address: typeof caller === 'object' ? caller.shopperAddress : direct,
    fromStorefront: caller === 'storefront itself',
    https,
    headers: edgeHeaders.for(path, headers.origin, https),
    startedMs: performance.now(),
    span: undefined,
    upstreamSpan: undefined,
    allowance: undefined,
    cache: undefined,
    actor: ANONYMOUS,
    fault: undefined,
    body: undefined,
  }
  contexts.set(request, context)
  return context
}

/** Whether a request only asks if the shop, or this gateway, is up. */
export function isProbe({ path }: RequestContext): boolean {
  return PROBES.has(path)
}

export function isRead({ method }: Pick<RequestContext, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether a request reads data that are the same for every client. */
export function isPublicRead(context: RequestContext): boolean {
  return context.route?.cacheable === true && isRead(context)
}

/** @returns undefined for a request that could not be read */
export function knownRequestContextOf(request: IncomingMessage): RequestContext | undefined {
  return contexts.get(request)
}

export function requestContextOf(request: IncomingMessage): RequestContext {
  const context = contexts.get(request)
  if (!context) throw new Error('a request has no context')
  return context
}
