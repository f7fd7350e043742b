import { growingPauseMs, withJitter } from '@storefront/jobs'
import { MINUTE_MS } from '@storefront/service'

/** After this many failed attempts in a row an endpoint gets only a probe now and then. */
export const OPENS_AFTER = 10
const PAUSE = { firstMs: 5000, factor: 2, longestMs: 5 * MINUTE_MS }
/** Beyond this many the pauses are the same, and the count carries no information. */
const COUNTED = OPENS_AFTER + 100

/** The stored state. From `OPENS_AFTER` failures on the circuit is open. */
interface Circuit {
  failures: number
  pausedUntil: Date | null
}

/** The results of attempts that ended together at one endpoint. */
export interface EndpointOutcome {
  endpointId: string
  /** Whether one of them was delivered. */
  worked: boolean
  /** How many failed after the last delivered one. */
  failures: number
  /** The result of the one attempt that an open circuit lets through, if it is among them. */
  probe: 'failed' | 'interrupted' | undefined
  /** The longest pause that a receiver requested. */
  retryAfterMs: number
}

/**
 * The circuit of an endpoint after these attempts. Attempts that began before it opened and fail afterwards are
 * ignored: only a probe lengthens the pause.
 * @param random from 0 to 1
 */
export function circuitAfter(
  circuit: Circuit,
  outcome: Omit<EndpointOutcome, 'endpointId'>,
  now: Date,
  random: number,
): Circuit {
  const before = outcome.worked ? 0 : circuit.failures
  if (before >= OPENS_AFTER) {
    if (outcome.probe === undefined) return circuit
    // The result of the interrupted probe is unknown: the next one goes at once.
    if (outcome.probe === 'interrupted') return { failures: before, pausedUntil: now }
    const failures = Math.min(before + 1, COUNTED)
    return { failures, pausedUntil: pauseFrom(now, failures, outcome.retryAfterMs, random) }
  }
  const failures = Math.min(before + outcome.failures, OPENS_AFTER)
  if (failures < OPENS_AFTER) return { failures, pausedUntil: null }
  return { failures, pausedUntil: pauseFrom(now, failures, outcome.retryAfterMs, random) }
}

function pauseFrom(now: Date, failures: number, retryAfterMs: number, random: number): Date {
  const grownMs = growingPauseMs(failures - OPENS_AFTER + 1, PAUSE)
  const pauseMs = Math.max(grownMs, Math.min(retryAfterMs, PAUSE.longestMs))
  return new Date(now.getTime() + withJitter(pauseMs, random))
}
