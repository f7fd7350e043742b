import type { ServiceName } from '@storefront/contracts'
import { failSpan, SpanKind, SpanStatusCode, startChild } from '@storefront/chassis'
import type { Visit } from '../front/visit.ts'

/** Starts the span of the request to a service, of which the service is told in its headers. */
export function startHop(visit: Visit, service: ServiceName): void {
  const { method, route, span } = visit
  const path = route?.path ?? ''
  const attributes = {
    'http.request.method': method,
    'url.template': path,
    'service.peer.name': service,
  }
  visit.hop = startChild(`${method} ${path}`, { kind: SpanKind.CLIENT, attributes }, span)
}

/** Ends it once, with the status of the answer or what came in its place. */
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
