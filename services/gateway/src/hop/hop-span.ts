import type { ServiceName } from '@storefront/contracts'
import { failSpan, SpanKind, SpanStatusCode, startChild, type Span } from '@storefront/chassis'
import type { Visit } from '../front/visit.ts'
import { faultName } from './faults.ts'

/** Starts the span of the request to a service, and passes it to the service in the headers. */
export function startHop(visit: Visit, service: ServiceName): void {
  const { method, route, span } = visit
  if (!span) return
  const path = route?.path ?? ''
  const attributes = {
    'http.request.method': method,
    'url.template': path,
    'service.peer.name': service,
  }
  visit.hop = startChild(`${method} ${path}`, { kind: SpanKind.CLIENT, attributes }, span)
}

/**
 * Records on the span that the request is retried. One span covers all attempts: the span of the service is its child.
 * @param resends number of retries, including this one
 */
export function noteRetry(span: Span | undefined, error: unknown, resends: number): void {
  if (!span) return
  span.setAttribute('http.request.resend_count', resends)
  span.addEvent('goes again', { 'error.type': faultName(error) })
}

/** Ends it once, with the status of the response or of the error in its place. */
export function endHop(visit: Visit, outcome: { status: number } | { error: unknown } | 'cancelled'): void {
  const { hop } = visit
  if (!hop) return
  visit.hop = undefined
  if (outcome === 'cancelled') hop.setAttribute('error.type', 'cancelled')
  else if ('error' in outcome) failSpan(hop, outcome.error)
  else {
    hop.setAttribute('http.response.status_code', outcome.status)
    if (outcome.status >= 500) hop.setStatus({ code: SpanStatusCode.ERROR })
  }
  hop.end()
}
