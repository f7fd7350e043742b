import { withJitter } from '@storefront/jobs'
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from '@storefront/service'

/** The pauses after the first, second, … failed attempt (docs/contract.md). */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  DAY_MS,
]
/** A receiver may request longer pauses than the schedule has, up to this limit. */
const MAX_RETRY_AFTER_MS = DAY_MS

/**
 * The pause before a delivery is tried again.
 * @param failedAttempts how many attempts have failed by now
 * @param retryAfterMs the pause that the receiver requested; it can lengthen the pause, never shorten it
 * @param random from 0 to 1
 * @returns undefined when it is not tried again
 */
export function nextAttemptAt(
  now: Date,
  failedAttempts: number,
  retryAfterMs: number | undefined,
  random: number,
): Date | undefined {
  const scheduledMs = RETRY_DELAYS_MS[failedAttempts - 1]
  if (scheduledMs === undefined) return undefined
  const requestedMs = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
  return new Date(now.getTime() + withJitter(Math.max(scheduledMs, requestedMs), random))
}

/** Parses a Retry-After header: seconds or an HTTP date. @returns milliseconds; undefined for anything else */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  // However many digits: a request for centuries means the longest possible pause, and not the usual one.
  if (/^\d+$/.test(header)) return Math.min(Number(header), 999_999_999) * SECOND_MS
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}
