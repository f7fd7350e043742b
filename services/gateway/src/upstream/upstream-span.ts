import type { ServiceName } from '@storefront/contracts'
import { failSpan, SpanKind, SpanStatusCode, startChild, type Span } from '@storefront/service'
import type { RequestContext } from '../front/request-context.ts'
import { errorName } from './upstream-errors.ts'

/** Starts the span of the request to a service, and passes it to the service in the headers. */
export function startUpstreamSpan(context: RequestContext, service: ServiceName): void {
  const { method, route, span } = context
  if (!span) return
  const path = route?.path ?? ''
  const attributes = {
    'http.request.method': method,
    'url.template': path,
    'service.peer.name': service,
  }
  context.upstreamSpan = startChild(`${method} ${path}`, { kind: SpanKind.CLIENT, attributes }, span)
}

/**
 * Records on the span that the request is retried. One span covers all attempts: the span of the service is its child.
 * @param resends number of retries, including this one
 */
export function noteRetry(span: Span | undefined, error: unknown, resends: number): void {
  if (!span) return
  span.setAttribute('http.request.resend_count', resends)
  span.addEvent('retry', { 'error.type': errorName(error) })
}

/** Ends it once, with the status of the response or of the error in its place. */
export function endUpstreamSpan(
  context: RequestContext,
  outcome: { status: number } | { error: unknown } | 'cancelled',
): void {
  const { upstreamSpan } = context
  if (!upstreamSpan) return
  context.upstreamSpan = undefined
  if (outcome === 'cancelled') upstreamSpan.setAttribute('error.type', 'cancelled')
  else if ('error' in outcome) failSpan(upstreamSpan, outcome.error)
  else {
    upstreamSpan.setAttribute('http.response.status_code', outcome.status)
    if (outcome.status >= 500) upstreamSpan.setStatus({ code: SpanStatusCode.ERROR })
  }
  upstreamSpan.end()
}
