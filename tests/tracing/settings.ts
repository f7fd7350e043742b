/** Settings of a shop that sends its spans to this collector, and soon. */
export const tracingTo = (collector: { url: string }) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: '100',
})

/** The trace context that a client sends. */
export const FOREIGN_TRACE = 'deadbeefdeadbeefdeadbeefdeadbeef'
export const FOREIGN = `00-${FOREIGN_TRACE}-feedfacefeedface-01`
