import { attemptBook, type GuessAttempt } from '@storefront/chassis'

const MINUTE_MS = 60_000

/** Wrong codes of a second factor within the window before further ones are refused unseen. */
export const CODE_ATTEMPTS = 5

/** A try at a secret that somebody could guess: of an e-mail address as it was typed, or of a user's id. */
export type Attempt = GuessAttempt<'customer_password' | 'admin_password' | 'second_factor'>

/** The tries of the last quarter of an hour. */
export const attempts = attemptBook<Attempt['kind']>({ table: 'attempts', windowMs: 15 * MINUTE_MS })

/** Whoever lets one address try more often than this a minute wants no limit. */
const MOST_SIGN_INS = 500
const FEWEST_ATTEMPTS = 10

/**
 * How many wrong passwords of one account are looked at within the window, from wherever they come.
 * @param signInsPerMinute what the gateway allows one address, 0 for any number
 * @returns undefined for any number
 */
export function passwordAttempts(signInsPerMinute: number): number | undefined {
  if (signInsPerMinute === 0 || signInsPerMinute > MOST_SIGN_INS) return undefined
  // With fewer a stranger could keep somebody from signing in with a guess or two.
  return Math.max(FEWEST_ATTEMPTS, 2 * signInsPerMinute)
}
