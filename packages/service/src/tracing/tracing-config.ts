import { z } from 'zod'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/**
 * OpenTelemetry's own variables that its SDK does not read itself. The exporter and the detectors read the endpoint,
 * headers, timeout and resource name.
 */
export const TracingConfig = z
  .object({
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    OTEL_SDK_DISABLED: z.string().optional(),
    OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
    /** Share of the traces that are kept, for the two samplers by ratio. */
    OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
    /**
     * Spans that wait for the collector. Further ones are dropped: this bounds the memory while it cannot be reached.
     */
    OTEL_BSP_MAX_QUEUE_SIZE: z.coerce.number().int().min(1).max(100_000).default(2048),
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: z.coerce.number().int().min(1).max(100_000).default(512),
    OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().min(1).max(600_000).default(5000),
  })
  .transform((config) => ({
    ...config,
    isOn:
      config.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
      (config.OTEL_EXPORTER_OTLP_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined,
  }))
export type TracingConfig = z.output<typeof TracingConfig>
