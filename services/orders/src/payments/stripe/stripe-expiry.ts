const MINUTE_MS = 60_000
/** Stripe wants half an hour by its own clock: with a little for a clock that goes wrong and a call that takes long. */
const LEAST_MS = 32 * MINUTE_MS
/** A call that is repeated must say the same. */
const STEP_MS = 10 * MINUTE_MS

/**
 * When a page of Stripe is to end, in seconds: with the session, or when Stripe allows it at the soonest.
 * @returns what to say now, and then what an earlier call may have said: under the same key Stripe takes nothing else
 */
export function stripeExpiries(sessionExpiresAt: Date, now: Date): number[] {
  const soonest = Math.ceil((now.getTime() + LEAST_MS) / STEP_MS) * STEP_MS
  const candidates = [soonest, soonest - STEP_MS, soonest - 2 * STEP_MS].map((end) =>
    Math.floor(Math.max(sessionExpiresAt.getTime(), end) / 1000),
  )
  return [...new Set(candidates)]
}
