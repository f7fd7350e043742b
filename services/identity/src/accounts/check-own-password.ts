import type { IdentityContext } from '../context.ts'
import { checkUnderLimit, type PasswordAttempts } from '../attempts/check-under-limit.ts'
import { wrongPassword } from '../errors.ts'
import { readPassword } from './accounts.queries.ts'

/**
 * Checks the password of a signed-in customer before an operation for which a device left signed in must not be
 * enough. Wrong passwords count together with those of sign-ins.
 * @returns the hash that the password matches: compare it again under the account's lock, because hashing takes long
 * @throws HttpError `invalid_credentials`, `rate_limited`, or `unauthenticated` when the account is gone
 */
export async function checkOwnPassword(
  context: Pick<IdentityContext, 'passwords'> & PasswordAttempts,
  customerId: string,
  password: string,
): Promise<string> {
  const { email, email_canonical: canonical, password_hash: passwordHash } = await readPassword(context.db, customerId)
  const isRight = await checkUnderLimit(context, { kind: 'customer_password', of: canonical ?? email }, () =>
    context.passwords.verify(passwordHash, password),
  )
  if (!isRight) throw wrongPassword()
  return passwordHash
}
