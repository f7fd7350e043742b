import { publish } from '@storefront/messaging'
import { MailRequested } from '@storefront/contracts'
import { addresseeOf } from '../confirmations/request-confirmation.ts'
import type { Tx } from '../database.ts'
import type { Account } from './account.ts'

/**
 * Notifies the account's holder of a change, at the previous address. No mail goes to an address that was never
 * verified: it may belong to another person, who would get mails caused by the person using it here.
 */
export async function notifyAccountHolder(
  tx: Tx,
  account: Account,
  kind: 'passwordChanged' | 'emailChanged',
  now: Date,
): Promise<void> {
  if (account.email_verified_at === null || account.email_canonical === null) return
  await publish(tx, MailRequested, { kind, to: account.email_canonical, ...addresseeOf(account) }, now)
}
