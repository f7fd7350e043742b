import { isSpanContextValid, propagation, ROOT_CONTEXT, trace, type Context, type Link } from '@opentelemetry/api'
import { activeSpan, isSampled, type Span } from './spans.ts'

/** The header of W3C Trace Context, in HTTP and in NATS. */
export const TRACEPARENT_HEADER = 'traceparent'

/** The header that passes a span to the next process; empty when tracing is off. */
export function traceHeaders(span = activeSpan()): Record<string, string> {
  const carrier: Record<string, string> = {}
  if (span) propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier)
  return carrier
}

/** The active span as a `traceparent`, to be stored with its later effects; null unless the trace is recorded. */
export function sampledTraceparent(): string | null {
  const span: Span | undefined = activeSpan()
  if (!span || !isSampled(span.spanContext().traceFlags)) return null
  return traceHeaders(span)[TRACEPARENT_HEADER] ?? null
}

/** The span of another process of the shop. Anything but a well-formed `traceparent` begins a new trace. */
export function parentFrom(traceparent: string | string[] | undefined): Context {
  return propagation.extract(ROOT_CONTEXT, { [TRACEPARENT_HEADER]: traceparent })
}

/** A link to another trace; an empty list without a well-formed `traceparent`. */
export function linksTo(traceparent: string | string[] | undefined): Link[] {
  const spanContext = trace.getSpanContext(parentFrom(traceparent))
  return spanContext && isSpanContextValid(spanContext) ? [{ context: spanContext }] : []
}
