import type { IncomingHttpHeaders } from 'node:http'
import {
  isTracing,
  linksTo,
  SpanKind,
  SpanStatusCode,
  startSpan,
  TRACEPARENT_HEADER,
  type Span,
} from '@storefront/service'
import type { RequestContext } from './request-context.ts'

/**
 * Starts the span of an incoming request. A trace always begins here: a client that chose its parent could add spans to
 * the traces of others, and force the sampling of its own. The client's trace becomes a link (docs/decisions/0028).
 * @returns undefined when tracing is off
 */
export function startRequestSpan(
  context: Pick<RequestContext, 'requestId' | 'method' | 'route' | 'https'>,
  headers: IncomingHttpHeaders,
): Span | undefined {
  // Not built for other spans, because tens of thousands of requests a second are served from the cache.
  if (!isTracing()) return undefined
  const { requestId, method, route, https } = context
  return startSpan(route ? `${method} ${route.path}` : method, {
    kind: SpanKind.SERVER,
    links: linksTo(headers[TRACEPARENT_HEADER]),
    attributes: {
      'http.request.method': method,
      'url.scheme': https ? 'https' : 'http',
      'storefront.request_id': requestId,
      ...(route && { 'http.route': route.path }),
    },
  })
}

/** @param status that was sent, or 499 when the client had disconnected */
export function endRequestSpan({ span, actor, cache, fault }: RequestContext, status: number): void {
  if (!span) return
  span.setAttributes({ 'http.response.status_code': status, 'storefront.actor.kind': actor.kind })
  if (cache !== undefined) span.setAttribute('storefront.cache', cache)
  if (fault !== undefined) span.setAttribute('error.type', fault)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
