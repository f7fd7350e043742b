import { transaction } from '@storefront/postgres'
import type { IdentityContext } from '../context.ts'
import type { AuditedAction } from '../audit/audit-entry.ts'
import type { Origin } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { checkUnderLimit, type PasswordAttempts } from '../attempts/check-under-limit.ts'
import type { Tx } from '../database.ts'
import { accountGone, wrongPassword } from '../errors.ts'
import { isSessionActive } from '../sessions/sessions.queries.ts'
import { findAdminWithPassword, lockAdmin, type AdminWithPassword } from './admins.queries.ts'

type Context = Pick<IdentityContext, 'passwords'> & PasswordAttempts

/** The operation that requires the password, and the origin of the request, for the audit. */
export interface AuditedOperation {
  action: AuditedAction
  /** The subject; the signed-in user by default. */
  subject?: string
  origin: Origin
}

/**
 * Checks the password of a signed-in admin before an operation for which a stolen session must not be enough. Wrong
 * passwords count together with those of sign-ins.
 * @throws HttpError `invalid_credentials`, or `rate_limited`
 */
export async function checkOwnPassword(
  context: Context,
  userId: string,
  password: string,
  operation: AuditedOperation,
): Promise<AdminWithPassword> {
  const { db, passwords, clock } = context
  const user = await findAdminWithPassword(db, userId)
  if (!user || user.disabled_at) throw accountGone()
  const record = (outcome: 'too_many' | 'wrong_password') =>
    transaction(db, (tx) => recordAudit(tx, { subject: userId, ...operation, outcome, actor: userId, at: clock.now() }))
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
 * Locks the user whose password was checked before the transaction, because hashing takes long.
 * @param sessionId of the request: every change that takes rights from a user ends the user's sessions with it
 * @throws HttpError `unauthenticated` when the password was changed, the session ended, or the user disabled or removed,
 * meanwhile
 */
export async function lockChecked(tx: Tx, checked: AdminWithPassword, sessionId: string, now: Date): Promise<void> {
  const user = await lockAdmin(tx, checked.id)
  if (!user || user.disabled_at || user.password_hash !== checked.password_hash) throw accountGone()
  if (!(await isSessionActive(tx, sessionId, now))) throw accountGone()
}
