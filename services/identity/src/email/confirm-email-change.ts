import { publish, type Clock } from '@storefront/chassis'
import { CustomerVerified } from '@storefront/contracts'
import { updateEmail } from '../accounts/accounts.queries.ts'
import { tellHolder } from '../accounts/tell-holder.ts'
import { voidConfirmations } from '../confirmations/confirmations.queries.ts'
import { useConfirmation } from '../confirmations/use-confirmation.ts'
import type { Tx } from '../database.ts'

/**
 * The customer reads mails at the new address, and the account has it from now on.
 * @throws Refusal `invalid_token`; the database's unique violation when the address has an account by now
 */
export async function confirmEmailChange(tx: Tx, confirmationId: string, clock: Clock): Promise<void> {
  const { account, email, now } = await useConfirmation(tx, { purpose: 'emailChange', id: confirmationId }, clock)
  await updateEmail(tx, account.id, email, now)
  // What was sent to the old mailbox must open nothing any more.
  await voidConfirmations(tx, account.id, ['emailVerification', 'emailChange', 'passwordReset'], now)
  await publish(tx, CustomerVerified, { customerId: account.id, email: email.canonical }, now)
  // To the old address: whoever did not want this must hear of it.
  await tellHolder(tx, account, 'emailChanged', now)
}
