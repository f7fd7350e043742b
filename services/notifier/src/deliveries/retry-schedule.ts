const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pauses after the first, second, … failed attempt (decisions, section 8). */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
/** Up to this part is added, so that what failed together does not come back together. */
export const JITTER = 0.2
/** A receiver may ask for more patience than the schedule has, but not for ever. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR

/**
 * When a delivery is tried again.
 * @param failedAttempts how many attempts have failed by now
 * @param retryAfterMs what the receiver asked for; it can lengthen the pause, never shorten it
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
  const askedMs = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
  return new Date(now.getTime() + Math.round(Math.max(scheduledMs, askedMs) * (1 + JITTER * random)))
}

/**
 * Reads a Retry-After header: seconds or an HTTP date.
 * @returns milliseconds; undefined for anything else
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  // However many digits: whoever asks for centuries asks for the longest pause there is, and not for the usual one.
  if (/^\d+$/.test(header)) return Math.min(Number(header), 999_999_999) * SECOND
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}
