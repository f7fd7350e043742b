import { MINUTE_MS } from '@storefront/service'
import { attemptLog, type GuessAttempt } from '@storefront/postgres'

/** Wrong codes of a second factor within the window before further ones are rejected unchecked. */
export const CODE_ATTEMPTS = 5

/** An attempt at a secret that could be guessed: for an email address as it was typed, or for a user's id. */
export type Attempt = GuessAttempt<'customer_password' | 'admin_password' | 'second_factor'>

/** The attempts of the last quarter of an hour. */
export const attempts = attemptLog<Attempt['kind']>({ windowMs: 15 * MINUTE_MS })

/** A rate limit per address and minute above this counts as no limit. */
const MAX_SIGN_INS = 500
const FEWEST_ATTEMPTS = 10

/**
 * How many wrong passwords of one account are checked within the window, from all clients together.
 * @param signInsPerMinute the gateway's limit per address, 0 for no limit
 * @returns undefined for no limit
 */
export function passwordAttempts(signInsPerMinute: number): number | undefined {
  if (signInsPerMinute === 0 || signInsPerMinute > MAX_SIGN_INS) return undefined
  // With fewer, an outsider could prevent a customer from signing in with a guess or two.
  return Math.max(FEWEST_ATTEMPTS, 2 * signInsPerMinute)
}
