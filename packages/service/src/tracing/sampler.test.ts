import { ROOT_CONTEXT, SpanKind, TraceFlags, type Link } from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { samplerOf } from './sampler.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const sampled: Link[] = [{ context: { traceId: TRACE_ID, spanId: '00f067aa0ba902b7', traceFlags: TraceFlags.SAMPLED } }]

test.each([
  ['a consumer of an event keeps its trace when the publisher did', SpanKind.CONSUMER, sampled, true],
  ['an event of a trace that is not recorded is left to the sampler', SpanKind.CONSUMER, [], false],
  ['a link of a client does not decide about its trace', SpanKind.SERVER, sampled, false],
])('%s', (_rule, kind, links, isKept) => {
  const sampler = samplerOf({ OTEL_TRACES_SAMPLER: 'parentbased_always_off', OTEL_TRACES_SAMPLER_ARG: 1 })
  const { decision } = sampler.shouldSample(ROOT_CONTEXT, TRACE_ID, 'a span', kind, {}, links)
  expect(decision === SamplingDecision.RECORD_AND_SAMPLED).toBe(isKept)
})
