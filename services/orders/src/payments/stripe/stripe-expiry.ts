import { MINUTE_MS } from '@storefront/service'

/** Stripe requires half an hour by its own clock: with a margin for clock drift and a slow call. */
const LEAST_MS = 32 * MINUTE_MS
/** A repeated call must send the same value. */
const STEP_MS = 10 * MINUTE_MS

/**
 * When a page of Stripe must end, in seconds: with the session, or as soon as Stripe allows.
 * @returns the value to send now, and then the values that an earlier call may have sent: under the same key Stripe
 * accepts no other
 */
export function stripeExpiries(sessionExpiresAt: Date, now: Date): number[] {
  const soonest = Math.ceil((now.getTime() + LEAST_MS) / STEP_MS) * STEP_MS
  const candidates = [soonest, soonest - STEP_MS, soonest - 2 * STEP_MS].map((end) =>
    Math.floor(Math.max(sessionExpiresAt.getTime(), end) / 1000),
  )
  return [...new Set(candidates)]
}
