import type { Actor } from '@storefront/contracts'
import type { LockedAccount } from '../accounts/accounts.queries.ts'
import { checkOwnPassword } from '../accounts/check-own-password.ts'
import type { IdentityContext } from '../context.ts'

/** The proof, in addition to the link of a mail, that a person holds the account: its session or its password. */
export type AccountProof =
  | { kind: 'session'; customerId: string }
  | { kind: 'password'; customerId: string; passwordHash: string }

/**
 * @param customerId whose account a link is about
 * @returns undefined when neither a session of this account nor a password came with the link
 * @throws HttpError `invalid_credentials` for a wrong password, `rate_limited`
 */
export async function readProof(
  context: IdentityContext,
  customerId: string,
  { actor, password }: { actor: Actor; password: string | null | undefined },
): Promise<AccountProof | undefined> {
  if (actor.kind === 'customer' && actor.customerId === customerId) return { kind: 'session', customerId }
  if (!password) return undefined
  return { kind: 'password', customerId, passwordHash: await checkOwnPassword(context, customerId, password) }
}

/** @param account locked: its password may have changed since it was compared */
export function isProof(account: LockedAccount, proof: AccountProof | undefined): boolean {
  if (proof?.customerId !== account.id) return false
  return proof.kind === 'session' || proof.passwordHash === account.password_hash
}
