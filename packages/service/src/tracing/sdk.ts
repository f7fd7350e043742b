import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Log } from '../log.ts'
import type { Stoppable } from '../timer.ts'
import { reportingExporter } from './reporting-exporter.ts'
import { samplerOf } from './sampler.ts'
import { useTracer } from './spans.ts'
import type { TracingConfig } from './tracing-config.ts'

/** A collector that hangs must not delay the stop of a service. */
const LAST_SPANS_MS = 1500
/** The maximum length of an attribute, above all of a statement. */
const ATTRIBUTE_LENGTH = 2000
/** An export that hangs longer than the exporter's own timeout (10 s by default). */
const EXPORT_TIMEOUT_MS = 15_000

/** Sets OpenTelemetry up for this process. Loaded only when tracing is on. */
export function startSdk(service: string, config: TracingConfig, log: Log): Stoppable {
  setGlobalErrorHandler((error) => log.debug({ err: error }, 'tracing reported an error'))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    sampler: samplerOf(config),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingExporter(new OTLPTraceExporter(), log),
        maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
        maxExportBatchSize: Math.min(config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, config.OTEL_BSP_MAX_QUEUE_SIZE),
        scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  })
  trace.setGlobalTracerProvider(provider)
  useTracer(provider.getTracer('@storefront/service'))
  log.info('traces are sent to the collector')
  return {
    async stop() {
      const deadline = new Promise((resolve) => setTimeout(resolve, LAST_SPANS_MS).unref())
      await Promise.race([provider.shutdown().catch(() => {}), deadline])
    },
  }
}
