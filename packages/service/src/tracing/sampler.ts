import { SpanKind, type Context, type Link } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import { isSampled } from './spans.ts'
import type { TracingConfig } from './tracing-config.ts'

/** The sampler that the standard variables name; a consumer of an event keeps a trace when the publisher did. */
export function samplerOf(config: Pick<TracingConfig, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>): Sampler {
  const ratio = () => new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG)
  const samplers: Record<TracingConfig['OTEL_TRACES_SAMPLER'], () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: ratio,
    parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
    parentbased_traceidratio: () => new ParentBasedSampler({ root: ratio() }),
  }
  return followProducers(samplers[config.OTEL_TRACES_SAMPLER]())
}

/**
 * Only consumers follow their links, which come from our own outbox. Links at the gateway may come from any client,
 * which must not decide what we keep.
 */
function followProducers(inner: Sampler): Sampler {
  return {
    shouldSample(context: Context, traceId, name, kind, attributes, links: Link[]) {
      const isFollowed = kind === SpanKind.CONSUMER && links.some((link) => isSampled(link.context.traceFlags))
      return isFollowed
        ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
        : inner.shouldSample(context, traceId, name, kind, attributes, links)
    },
    toString: () => `FollowProducers{${inner.toString()}}`,
  }
}
