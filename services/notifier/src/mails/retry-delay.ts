import { growingPauseMs, JITTER, withJitter } from '@storefront/jobs'
import { MINUTE_MS, HOUR_MS, DAY_MS } from '@storefront/service'

const LONGEST_MS = HOUR_MS
/** With the jitter five minutes: the link of a mail may work for an hour only. */
const LONGEST_FOR_LINK_MS = (5 * MINUTE_MS) / (1 + JITTER)
/** A mail that no server accepted for this long has failed. */
export const GIVE_UP_AFTER_MS = DAY_MS

/**
 * Pause before a mail is retried: 5 s, 15 s, 45 s and so on up to an hour, so that greylisting costs minutes. One with
 * a link is retried at least every five minutes.
 * @param attempts how many there were
 * @param mail.random from 0 to 1
 * @returns milliseconds
 */
export function mailRetryDelayMs(
  attempts: number,
  { isAboutLink, random }: { isAboutLink: boolean; random: number },
): number {
  const longestMs = isAboutLink ? LONGEST_FOR_LINK_MS : LONGEST_MS
  return withJitter(growingPauseMs(attempts, { firstMs: 5000, factor: 3, longestMs }), random)
}
