import { publish } from '@storefront/chassis'
import { MailRequested } from '@storefront/contracts'
import { addresseeOf } from '../confirmations/ask-for-confirmation.ts'
import type { Tx } from '../database.ts'
import type { Account } from './account.ts'

/**
 * Tells whoever has an account what happened to it, at the address that it had before. One that was never verified may be
 * a stranger's, who would get a mail for whatever somebody does under this address.
 */
export async function tellHolder(
  tx: Tx,
  account: Account,
  kind: 'passwordChanged' | 'emailChanged',
  now: Date,
): Promise<void> {
  if (account.email_verified_at === null || account.email_canonical === null) return
  await publish(tx, MailRequested, { kind, to: account.email_canonical, ...addresseeOf(account) }, now)
}
