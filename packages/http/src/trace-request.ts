import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HEARTBEAT_PATH } from './heartbeat.ts'
import { isTracing, startSpan, type Span, parentFrom, TRACEPARENT_HEADER } from '@storefront/service'

/** Requested every few seconds or held open for hours, and of no interest in traces. */
const PROBES = new Set(['/healthz', '/readyz', HEARTBEAT_PATH])

/**
 * Starts the span of a request that came from the gateway; it ends with the last byte of the response. No path, no
 * query and no header of the request is recorded: they may hold secrets.
 * @returns undefined when tracing is off, and for probes
 */
export function startServerSpan(request: FastifyRequest, reply: FastifyReply): Span | undefined {
  if (!isTracing()) return undefined
  const { method } = request
  const route = request.routeOptions.url
  if (route !== undefined && PROBES.has(route)) return undefined
  const attributes = {
    'http.request.method': method,
    'url.scheme': 'http',
    'storefront.request_id': request.id,
    ...(route === undefined ? {} : { 'http.route': route }),
  }
  const span = startSpan(
    route === undefined ? method : `${method} ${route}`,
    { kind: SpanKind.SERVER, attributes },
    parentFrom(request.headers[TRACEPARENT_HEADER]),
  )
  reply.raw.once('close', () => span && endServerSpan(span, reply.raw))
  return span
}

function endServerSpan(span: Span, response: FastifyReply['raw']): void {
  const { statusCode: status, writableFinished } = response
  if (!writableFinished) span.setAttribute('error.type', 'client_gone')
  else {
    span.setAttribute('http.response.status_code', status)
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
