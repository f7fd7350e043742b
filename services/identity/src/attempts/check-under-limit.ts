import type { IdentityContext } from '../context.ts'
import { tooManyAttempts } from '../errors.ts'
import { attempts, type Attempt } from './attempt.ts'

/** The dependencies of a password check. */
export type PasswordAttempts = Pick<IdentityContext, 'db' | 'passwordAttempts' | 'clock'>

/**
 * Checks a password, unless too many were wrong recently, counted over all replicas. A correct one clears the count.
 * @param check not called when the attempt is rejected; an error that it throws does not count as a wrong password
 * @param onBlocked called once when blocking begins, and not for every attempt that follows
 * @returns the result of `check`
 * @throws HttpError `rate_limited`, whether the password is correct or not, and also for an address without an account
 */
export async function checkUnderLimit(
  { db, passwordAttempts, clock }: PasswordAttempts,
  attempt: Attempt,
  check: () => Promise<boolean>,
  onBlocked?: () => Promise<void>,
): Promise<boolean> {
  if (passwordAttempts === undefined) return check()
  const verdict = await attempts.count(db, attempt, { atMost: passwordAttempts, now: clock.now() })
  if (!verdict.allowed) {
    if (verdict.isFirst) await onBlocked?.()
    throw tooManyAttempts(verdict.retryAfterSeconds)
  }
  let isRight: boolean
  try {
    isRight = await check()
  } catch (error) {
    await attempts.withdraw(db, attempt)
    throw error
  }
  if (isRight) await attempts.clear(db, attempt)
  return isRight
}
