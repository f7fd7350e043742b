import { publish } from '@storefront/chassis'
import { MailRequested } from '@storefront/contracts'
import { updatePassword, type LockedAccount } from '../accounts/accounts.queries.ts'
import { addresseeOf } from '../confirmations/ask-for-confirmation.ts'
import { voidConfirmations } from '../confirmations/confirmations.queries.ts'
import type { Tx } from '../database.ts'

/** Stores a new password and says so in a mail. Needs the lock on the account; ending its sessions is the caller's part. */
export async function replacePassword(tx: Tx, account: LockedAccount, passwordHash: string, now: Date): Promise<void> {
  await updatePassword(tx, account.id, passwordHash)
  // Whoever knew the old password may have asked for another address with it: that would give the account away.
  await voidConfirmations(tx, account.id, ['passwordReset', 'emailChange'], now)
  await publish(tx, MailRequested, { kind: 'passwordChanged', to: account.email, ...addresseeOf(account) }, now)
}
