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
 * Changes the address of an account whose holder has opened the link in the mail to the new address. The link alone is
 * not enough: another person may have requested it to see data of the person at the mailbox (docs/decisions/0062).
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
  // Links in the old mailbox must not work any more.
  await voidConfirmations(tx, account.id, ['emailVerification', 'emailChange', 'passwordReset'], now)
  await publish(tx, CustomerVerified, { customerId: account.id, email: email.canonical }, now)
  // To the old address, so that a holder who did not request the change is informed.
  await notifyAccountHolder(tx, account, 'emailChanged', now)
}
