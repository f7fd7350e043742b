import type { Dependencies } from '../app.ts'
import { checkUnderLimit, type PasswordAttempts } from '../attempts/check-under-limit.ts'
import { wrongPassword } from '../errors.ts'
import { readPassword } from './accounts.queries.ts'

/**
 * Before somebody who is signed in does what a device left signed in must not be enough for. Counts with the sign-ins.
 * @returns the hash that the password fits: compare it once more under the account's lock, because this takes long
 * @throws Refusal `invalid_credentials`, `rate_limited`, or `unauthenticated` when the account is gone
 */
export async function checkOwnPassword(
  dependencies: Pick<Dependencies, 'passwords'> & PasswordAttempts,
  customerId: string,
  password: string,
): Promise<string> {
  const {
    email,
    email_canonical: canonical,
    password_hash: passwordHash,
  } = await readPassword(dependencies.db, customerId)
  const isRight = await checkUnderLimit(dependencies, { kind: 'customer_password', of: canonical ?? email }, () =>
    dependencies.passwords.verify(passwordHash, password),
  )
  if (!isRight) throw wrongPassword()
  return passwordHash
}
