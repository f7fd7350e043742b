import { isSpanContextValid, propagation, ROOT_CONTEXT, trace, type Context, type Link } from '@opentelemetry/api'
import { activeSpan, isSampled, type Span } from './spans.ts'

/** The header of W3C Trace Context, in HTTP and in NATS. */
export const TRACEPARENT_HEADER = 'traceparent'

/** What the next process is told of a span; nothing when tracing is off. */
export function traceHeaders(span = activeSpan()): Record<string, string> {
  const carrier: Record<string, string> = {}
  if (span) propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier)
  return carrier
}

/** The active span as a `traceparent`, to be kept with what it causes later; null unless the trace is kept. */
export function sampledTraceparent(): string | null {
  const span: Span | undefined = activeSpan()
  if (!span || !isSampled(span.spanContext().traceFlags)) return null
  return traceHeaders(span)[TRACEPARENT_HEADER] ?? null
}

/** What another process of the shop said of its span. Anything else than a well-formed `traceparent` begins a new trace. */
export function parentFrom(traceparent: string | string[] | undefined): Context {
  return propagation.extract(ROOT_CONTEXT, { [TRACEPARENT_HEADER]: traceparent })
}

/** A link to another trace; an empty list without a well-formed `traceparent`. */
export function linksTo(traceparent: string | string[] | undefined): Link[] {
  const spanContext = trace.getSpanContext(parentFrom(traceparent))
  return spanContext && isSpanContextValid(spanContext) ? [{ context: spanContext }] : []
}
