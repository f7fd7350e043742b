import type { Clock } from '@storefront/service'
import { emailOf } from '../accounts/account.ts'
import { lockAccount } from '../accounts/accounts.queries.ts'
import { requestConfirmation } from '../confirmations/request-confirmation.ts'
import type { Tx } from '../database.ts'

/** Does nothing when the address is verified, or has received the maximum number of these mails. */
export async function sendVerificationAgain(
  tx: Tx,
  { customerId, senders }: { customerId: string; senders: readonly string[] },
  clock: Clock,
): Promise<void> {
  const account = await lockAccount(tx, customerId)
  if (account.email_verified_at !== null) return
  const email = emailOf(account)
  if (!email) return
  await requestConfirmation(tx, { purpose: 'emailVerification', email, customer: account, senders }, clock.now())
}
