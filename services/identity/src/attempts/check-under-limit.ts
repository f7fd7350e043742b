import type { Dependencies } from '../app.ts'
import { tooManyAttempts } from '../errors.ts'
import { attempts, type Attempt } from './attempt.ts'

/** What checking a password takes, beside the password. */
export type PasswordAttempts = Pick<Dependencies, 'db' | 'passwordAttempts' | 'clock'>

/**
 * Looks whether a password is right, unless too many were wrong lately, over all copies of the service. One that is right
 * clears the count.
 * @param check not called when the attempt is refused; what it throws does not count as wrong
 * @param onBlocked called once when refusing begins, and not for every attempt that follows
 * @returns what `check` found
 * @throws Refusal `rate_limited`, for a right password as for a wrong one, and for an address that nobody has
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
    await attempts.takeBack(db, attempt)
    throw error
  }
  if (isRight) await attempts.forget(db, attempt)
  return isRight
}
