import { updatePassword, type LockedAccount } from '../accounts/accounts.queries.ts'
import { tellHolder } from '../accounts/tell-holder.ts'
import { attempts } from '../attempts/attempt.ts'
import { voidConfirmations } from '../confirmations/confirmations.queries.ts'
import type { Tx } from '../database.ts'

/**
 * Stores a new password, which counts at once, and says so in a mail. Needs the lock on the account; ending its sessions is
 * the caller's part.
 */
export async function replacePassword(tx: Tx, account: LockedAccount, passwordHash: string, now: Date): Promise<void> {
  await updatePassword(tx, account.id, passwordHash)
  // However often somebody guessed the old one: whoever has just set the new one must not be locked out.
  await attempts.forget(tx, { kind: 'customer_password', of: account.email_canonical ?? account.email })
  // Whoever knew the old password may have asked for another address with it: that would give the account away.
  await voidConfirmations(tx, account.id, ['passwordReset', 'emailChange'], now)
  await tellHolder(tx, account, 'passwordChanged', now)
}
