import { transaction } from '@storefront/chassis'
import type { Dependencies } from '../app.ts'
import type { AuditedAction } from '../audit/audit-entry.ts'
import type { Origin } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { checkUnderLimit, type PasswordAttempts } from '../attempts/check-under-limit.ts'
import type { Tx } from '../database.ts'
import { accountGone, wrongPassword } from '../errors.ts'
import { findAdminWithPassword, lockAdmin, type AdminWithPassword } from './admins.queries.ts'

type Context = Pick<Dependencies, 'passwords'> & PasswordAttempts

/** What a password is given for, and where that comes from: for the audit. */
export interface Trying {
  action: AuditedAction
  /** Whom it is about; the user alone unless told otherwise. */
  subject?: string
  origin: Origin
}

/**
 * Before somebody who is signed in does what a stolen session must not be enough for. Counts with the sign-ins.
 * @throws Refusal `invalid_credentials`, or `rate_limited`
 */
export async function checkOwnPassword(
  context: Context,
  userId: string,
  password: string,
  trying: Trying,
): Promise<AdminWithPassword> {
  const { db, passwords, clock } = context
  const user = await findAdminWithPassword(db, userId)
  if (!user || user.disabled_at) throw accountGone()
  const record = (outcome: 'too_many' | 'wrong_password') =>
    transaction(db, (tx) => recordAudit(tx, { subject: userId, ...trying, outcome, actor: userId, at: clock.now() }))
  const isRight = await checkUnderLimit(
    context,
    { kind: 'admin_password', of: user.email_canonical ?? user.email },
    () => passwords.verify(user.password_hash, password),
    () => record('too_many'),
  )
  if (isRight) return user
  await record('wrong_password')
  throw wrongPassword()
}

/**
 * Locks the user whose password was checked, outside of the transaction because that takes long.
 * @throws Refusal `unauthenticated` when somebody changed the password, disabled or removed the user meanwhile
 */
export async function lockChecked(tx: Tx, checked: AdminWithPassword): Promise<void> {
  const user = await lockAdmin(tx, checked.id)
  if (!user || user.disabled_at || user.password_hash !== checked.password_hash) throw accountGone()
}
