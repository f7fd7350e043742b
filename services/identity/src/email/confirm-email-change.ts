import { publish } from '@storefront/messaging'
import type { Clock } from '@storefront/service'
import { CustomerVerified } from '@storefront/contracts'
import { updateEmail } from '../accounts/accounts.queries.ts'
import { notifyAccountHolder } from '../accounts/notify-account-holder.ts'
import { voidConfirmations } from '../confirmations/confirmations.queries.ts'
import { useConfirmation } from '../confirmations/use-confirmation.ts'
import type { Tx } from '../database.ts'
import { accountProofNeeded } from '../errors.ts'
import { isProof, type AccountProof } from './account-proof.ts'

/**
 * The holder of the account reads mails at the new address, and the account has it from now on. The link alone is not
 * enough: another person may have requested it, to see what belongs to the person at the mailbox (docs/decisions/0062).
 * @throws HttpError `invalid_token`, or `missing_credentials` without a proof, which leaves the link valid; the
 * database's unique violation when the address has an account by now
 */
export async function confirmEmailChange(
  tx: Tx,
  confirmationId: string,
  { proof, clock }: { proof: AccountProof | undefined; clock: Clock },
): Promise<void> {
  const { account, email, now } = await useConfirmation(tx, { purpose: 'emailChange', id: confirmationId }, clock)
  if (!isProof(account, proof)) throw accountProofNeeded()
  await updateEmail(tx, account.id, email, now)
  // Links that were sent to the old mailbox are void.
  await voidConfirmations(tx, account.id, ['emailVerification', 'emailChange', 'passwordReset'], now)
  await publish(tx, CustomerVerified, { customerId: account.id, email: email.canonical }, now)
  // To the old address: a holder who did not want this must learn of it.
  await notifyAccountHolder(tx, account, 'emailChanged', now)
}
