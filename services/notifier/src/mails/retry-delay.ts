const FIRST_MS = 5000
const FACTOR = 3
const LONGEST_MS = 3600 * 1000
const JITTER = 0.2
/** A mail that found no taker for this long has failed. */
export const GIVE_UP_AFTER_MS = 24 * 3600 * 1000

/**
 * Pause before a mail is tried again: 5 s, 15 s, 45 s and so on up to an hour, so that greylisting costs minutes.
 * @param attempts how many there were
 * @param random from 0 to 1
 * @returns milliseconds
 */
export function mailRetryDelayMs(attempts: number, random: number): number {
  const pauseMs = Math.min(LONGEST_MS, FIRST_MS * FACTOR ** (attempts - 1))
  return Math.round(pauseMs * (1 + JITTER * random))
}
