import { publish } from '@storefront/messaging'
import type { Clock } from '@storefront/service'
import { CustomerVerified, newId } from '@storefront/contracts'
import { markVerified, withdrawPassword } from '../accounts/accounts.queries.ts'
import { insertConfirmation, voidConfirmations } from '../confirmations/confirmations.queries.ts'
import { useConfirmation } from '../confirmations/use-confirmation.ts'
import type { Tx } from '../database.ts'
import { invalidToken } from '../errors.ts'
import type { Revoked } from '../sessions/revoked.ts'
import { revokeAllCustomerSessions } from '../sessions/sessions.queries.ts'
import { isProof, type AccountProof } from './account-proof.ts'

/** The result of a confirmation. */
interface EmailConfirmed {
  /** Confirmation with which the person at the mailbox must set a password first. */
  resetId?: string
  revoked: Revoked[]
}

/**
 * The person at the mailbox confirms the address of an account. Without a proof that the account is theirs, another
 * person may have registered it with this address: every session ends and its password no longer signs in, and the
 * address counts as verified only when a new password is set (docs/decisions/0062).
 * @param options.unusableHash of a random password that is not stored
 * @throws HttpError `invalid_token`
 */
export async function confirmEmail(
  tx: Tx,
  confirmationId: string,
  { proof, unusableHash, clock }: { proof: AccountProof | undefined; unusableHash: string; clock: Clock },
): Promise<EmailConfirmed> {
  const { account, email, now } = await useConfirmation(tx, { purpose: 'emailVerification', id: confirmationId }, clock)
  if (account.email_canonical !== email.canonical) throw invalidToken()
  if (isProof(account, proof) || account.email_verified_at !== null) {
    await markVerified(tx, account.id, now)
    await publish(tx, CustomerVerified, { customerId: account.id, email: email.canonical }, now)
    return { revoked: [] }
  }
  await withdrawPassword(tx, account.id, unusableHash)
  // The person who registered may have requested another address, and read the mail with its link.
  await voidConfirmations(tx, account.id, ['emailChange'], now)
  const resetId = newId('confirmation')
  await insertConfirmation(tx, { id: resetId, purpose: 'passwordReset', customer_id: account.id, email }, now)
  return { resetId, revoked: await revokeAllCustomerSessions(tx, account.id, now) }
}
