import { updatePassword, type LockedAccount } from '../accounts/accounts.queries.ts'
import { notifyAccountHolder } from '../accounts/notify-account-holder.ts'
import { attempts } from '../attempts/attempt.ts'
import { voidConfirmations } from '../confirmations/confirmations.queries.ts'
import type { Tx } from '../database.ts'

/**
 * Stores a new password, which is valid at once, and requests a mail about it. Requires the lock on the account; the
 * caller ends its sessions.
 */
export async function replacePassword(tx: Tx, account: LockedAccount, passwordHash: string, now: Date): Promise<void> {
  await updatePassword(tx, account.id, passwordHash)
  // Wrong guesses of the old password no longer count, so that the person who has set the new one is not locked out.
  await attempts.clear(tx, { kind: 'customer_password', of: account.email_canonical ?? account.email })
  // A person who knew the old password may have requested another address with it, which would give them the account.
  await voidConfirmations(tx, account.id, ['passwordReset', 'emailChange'], now)
  await notifyAccountHolder(tx, account, 'passwordChanged', now)
}
