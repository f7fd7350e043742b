export {
  activeSpan,
  failSpan,
  inSpan,
  isTracing,
  sampledTraceId,
  SpanKind,
  SpanStatusCode,
  startChild,
  startSpan,
  tracedRoot,
  tracedTogether,
  type Span,
} from './spans.ts'
export { startTracing, type Tracing } from './start-tracing.ts'
export { linksTo, sampledTraceparent, TRACEPARENT_HEADER, traceHeaders } from './trace-context.ts'
