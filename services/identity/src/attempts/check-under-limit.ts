import type { Clock } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { tooManyAttempts } from '../errors.ts'
import type { Attempt } from './attempt.ts'
import { countAttempt, forgetAttempts, takeBackAttempt } from './attempts.queries.ts'

/**
 * Looks whether a password is right, unless too many were wrong lately, over all copies of the service. One that is right
 * clears the count.
 * @param check not called when the attempt is refused; what it throws does not count as wrong
 * @param onBlocked called once when refusing begins, and not for every attempt that follows
 * @returns what `check` found
 * @throws Refusal `rate_limited`, for a right password as for a wrong one, and for an address that nobody has
 */
export async function checkUnderLimit(
  { db, clock }: { db: Database; clock: Clock },
  attempt: Attempt,
  check: () => Promise<boolean>,
  onBlocked?: () => Promise<void>,
): Promise<boolean> {
  const verdict = await countAttempt(db, attempt, clock.now())
  if (!verdict.allowed) {
    if (verdict.isFirst) await onBlocked?.()
    throw tooManyAttempts(verdict.retryAfterSeconds)
  }
  let isRight: boolean
  try {
    isRight = await check()
  } catch (error) {
    await takeBackAttempt(db, attempt)
    throw error
  }
  if (isRight) await forgetAttempts(db, attempt)
  return isRight
}
