import type { Actor, AdminRole } from '@storefront/contracts'
import { z } from 'zod'
import { MINUTE_MS, type HttpError } from '@storefront/service'
import type { IdentityContext } from '../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../database.ts'
import { codeNeeded, passwordNeeded, personNeeded } from '../errors.ts'
import { checkCode } from '../second-factor/check-code.ts'
import { findSecondFactor } from '../second-factor/second-factor.queries.ts'
import { adminOf } from '../sessions/caller.ts'
import { sessionOpenedAt } from '../sessions/sessions.queries.ts'
import type { AdminWithPassword } from './admins.queries.ts'
import { checkOwnPassword, lockChecked, type AuditedOperation } from './check-own-password.ts'

/** In the body of requests that require it: the password of the caller, and a code if their second factor is on. */
export const ReauthenticationFields = z.object({
  currentPassword: z.string().nullish().describe('Your own password, if the operation requires it.'),
  code: z
    .string()
    .nullish()
    .describe('From your authenticator app, or a recovery code; required if your second factor is on.'),
})
export type ReauthenticationFields = z.output<typeof ReauthenticationFields>

interface AdminChange {
  role?: AdminRole | undefined
  disabled?: boolean | undefined
  password?: unknown
  secondFactor?: false | undefined
}

/**
 * Operations for which a stolen session must not be enough, because their effect outlives the session: changing or
 * removing an owner, changing a user's role, enabling a disabled user, and access to another user's account. Taking
 * permissions from a user who is not an owner does not need the password again.
 * @param before the user as stored
 */
export function needsReauthentication(before: { role: AdminRole; disabled: boolean }, change: AdminChange): boolean {
  if (before.role === 'owner') return true
  if (change.role !== undefined && change.role !== before.role) return true
  if (change.disabled === false && before.disabled) return true
  return change.password !== undefined || change.secondFactor === false
}

export interface Reauthenticated {
  user: AdminWithPassword
  sessionId: string
  code: string | undefined
  operation: AuditedOperation
}

/**
 * Checks the password, outside of the transaction because that takes long.
 * @throws HttpError `forbidden` for a secret key, `missing_credentials`, `invalid_credentials` or `rate_limited`
 */
export async function reauthenticateByPassword(
  context: IdentityContext,
  actor: Actor,
  { currentPassword, code }: ReauthenticationFields,
  operation: AuditedOperation,
): Promise<Reauthenticated> {
  if (actor.kind !== 'admin' || actor.sessionId === undefined) throw personNeeded()
  if (!currentPassword) throw passwordNeeded()
  const user = await checkOwnPassword(context, adminOf(actor).userId, currentPassword, operation)
  return { user, sessionId: actor.sessionId, code: code ?? undefined, operation }
}

/** How long after signing in with the password it need not be sent again, for operations that accept this. */
const RECENT_SIGN_IN_MS = 15 * MINUTE_MS

/**
 * For routes whose clients may not know how to send a password: a session that was just opened with it is accepted, and
 * so is a secret key, which got its permission with a password.
 * @returns undefined when the password need not be sent again
 * @throws HttpError as `reauthenticateByPassword`
 */
export async function reauthenticateUnlessRecent(
  context: IdentityContext,
  actor: Actor,
  fields: ReauthenticationFields,
  operation: AuditedOperation,
): Promise<Reauthenticated | undefined> {
  if (fields.currentPassword) return reauthenticateByPassword(context, actor, fields, operation)
  if (actor.kind !== 'admin' || actor.sessionId === undefined) return undefined
  const openedAt = await sessionOpenedAt(context.db, actor.sessionId)
  const now = context.clock.now().getTime()
  if (openedAt && openedAt.getTime() > now - RECENT_SIGN_IN_MS) return undefined
  throw passwordNeeded('Or sign in again, and repeat the request within 15 minutes.')
}

/**
 * The second step, in the transaction of the operation: a correct code is used up only if that commits.
 * @returns the error; not thrown, because the attempt must commit
 * @throws HttpError `missing_credentials`, or `unauthenticated` when the password was changed or the session ended
 * meanwhile
 */
export async function reauthenticateByCode(
  tx: Tx,
  { user, sessionId, code, operation }: Reauthenticated,
  { encryptions }: Pick<IdentityContext, 'encryptions'>,
  now: Date,
): Promise<HttpError | undefined> {
  await lockChecked(tx, user, sessionId, now)
  const factor = await findSecondFactor(tx, user.id)
  if (!factor?.confirmed_at) return undefined
  if (!code) throw codeNeeded()
  const check = await checkCode(tx, factor, code, { encryption: encryptions.secondFactors, now })
  if (check.isRight) return undefined
  if (check.outcome) {
    await recordAudit(tx, { subject: user.id, ...operation, outcome: check.outcome, actor: user.id, at: now })
  }
  return check.error
}
