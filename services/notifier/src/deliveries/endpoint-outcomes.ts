import type { EndpointOutcome } from './circuit.ts'
import type { DeliveryOutcome } from './deliveries.queries.ts'

/** The result of an attempt, with its meaning for its endpoint. */
export interface Outcome extends DeliveryOutcome {
  /** Where it was sent: the endpoint may have moved since then. */
  url: string
  /** Whether it was the only attempt that an open circuit let through. */
  probe: boolean
  retryAfterMs: number | undefined
}

/**
 * The result of an attempt at a former address of its endpoint. A failure does not count for the new address, which
 * gets the delivery next.
 */
export function atFormerAddress(outcome: Outcome, now: Date): Outcome {
  if (outcome.result === 'delivered') return outcome
  return { ...outcome, failed: false, result: 'waiting', nextAttemptAt: now }
}

/** The failures in a row after these results. */
export function failuresAfter(before: number, outcomes: Outcome[]): number {
  return outcomes.reduce((count, { failed }) => (failed ? count + 1 : 0), before)
}

/** Sums up results, in their order, for each endpoint. */
export function outcomesOf(outcomes: Outcome[]): EndpointOutcome[] {
  const all = new Map<string, EndpointOutcome>()
  for (const { endpointId, result, failed, probe, retryAfterMs = 0 } of outcomes) {
    const known = all.get(endpointId)
    const outcome = known ?? { endpointId, worked: false, failures: 0, probe: undefined, retryAfterMs: 0 }
    if (result === 'delivered') Object.assign(outcome, { worked: true, failures: 0, probe: undefined, retryAfterMs: 0 })
    else {
      if (failed) outcome.failures++
      if (probe) outcome.probe = failed ? 'failed' : 'interrupted'
      outcome.retryAfterMs = Math.max(outcome.retryAfterMs, retryAfterMs)
    }
    all.set(endpointId, outcome)
  }
  return [...all.values()]
}
