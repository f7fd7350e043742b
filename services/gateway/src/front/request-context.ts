import type { IncomingMessage } from 'node:http'
import type { Actor } from '@storefront/contracts'
import type { Span } from '@storefront/service'
import type { Allowance } from '../rate-limit/allowance.ts'
import type { Route } from '../routes.ts'
import type { EdgeHeaders } from './edge-headers.ts'

export type CacheOutcome = 'HIT' | 'MISS' | 'STALE' | 'BYPASS'

/** The context of one request in the gateway: what is known on arrival, and the result. */
export interface RequestContext {
  readonly requestId: string
  readonly method: string
  /** Path and query below the base path, exactly as they were sent: what the service gets. */
  readonly target: string
  readonly path: string
  readonly route: Route | undefined
  readonly address: string
  readonly https: boolean
  readonly headers: EdgeHeaders
  readonly startedMs: number
  /** Undefined while tracing is off, and for probes. */
  readonly span: Span | undefined
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

const contexts = new WeakMap<IncomingMessage, RequestContext>()

export function rememberRequestContext(request: IncomingMessage, context: RequestContext): void {
  contexts.set(request, context)
}

/** @returns undefined before the front door has seen it */
export function knownRequestContextOf(request: IncomingMessage): RequestContext | undefined {
  return contexts.get(request)
}

export function requestContextOf(request: IncomingMessage): RequestContext {
  const context = contexts.get(request)
  if (!context) throw new Error('a request did not come through the front door')
  return context
}
