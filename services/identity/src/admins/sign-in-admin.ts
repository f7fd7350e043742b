import type { SentRequest } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import type { HttpError } from '@storefront/service'
import { readEmailAddress, type AdminRole } from '@storefront/contracts'
import { z } from 'zod'
import { Credentials, requireCredentials } from '../accounts/account.ts'
import type { IdentityContext } from '../context.ts'
import type { AuditOutcome } from '../audit/audit-entry.ts'
import { originOf, type Origin } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { checkUnderLimit } from '../attempts/check-under-limit.ts'
import type { Tx } from '../database.ts'
import { accountGone, differentNames, invalidCredentials, secondFactorRequired } from '../errors.ts'
import { checkCode } from '../second-factor/check-code.ts'
import { findSecondFactor } from '../second-factor/second-factor.queries.ts'
import { type AdminUser, toAdminUser } from './admin.ts'
import { findAdmin, findAdminByEmail, lockAdmin, updateAdmin, type AdminWithPassword } from './admins.queries.ts'

export const AdminCredentials = Credentials.extend({
  username: z.string().nullish().describe('Another name for `email`; when both are sent, they must be the same.'),
  code: z
    .string()
    .nullish()
    .describe('From the authenticator app, or a recovery code; required if the second factor is on.'),
})
type AdminCredentials = z.output<typeof AdminCredentials>

interface SignIn {
  email: string
  code: string | null | undefined
  origin: Origin
}

/** Opens a session of the user within the transaction of the sign-in. */
type OpenFor<Opened> = (tx: Tx, user: { id: string; role: AdminRole }, at: Date) => Promise<Opened>

/**
 * Signs an admin in: checks the password and, where it is on, the second factor, under the limit of attempts.
 * @returns what `open` returned, and the user
 * @throws HttpError `missing_credentials`, `invalid_credentials`, `second_factor_required`, `validation_failed` or
 * `rate_limited`
 */
export async function signInAdmin<Opened>(
  context: IdentityContext,
  request: SentRequest,
  credentials: AdminCredentials | null | undefined,
  open: OpenFor<Opened>,
): Promise<{ opened: Opened; user: AdminUser }> {
  const { db, passwords, verifyActor, clock } = context
  const { email, password } = requireCredentials(withEmail(credentials))
  const signIn = { email, code: credentials?.code, origin: originOf(request, verifyActor) }
  const canonical = readEmailAddress(email)?.canonical
  const user = await findAdminByEmail(db, canonical)
  const recordFailure = (outcome: AuditOutcome) =>
    transaction(db, (tx) => recordSignIn(tx, signIn, { outcome, subject: user?.id, at: clock.now() }))
  let matches = false
  const isRight = await checkUnderLimit(
    context,
    { kind: 'admin_password', of: canonical ?? email },
    async () => {
      // Also without a user: the response time must not reveal whether there is one.
      matches = await passwords.verify(user?.password_hash, password)
      return matches && user?.disabled_at === null
    },
    () => recordFailure('too_many'),
  )
  if (!user || !isRight) {
    const failureOfUser = matches ? 'disabled' : 'wrong_password'
    await recordFailure(user ? failureOfUser : 'unknown')
    throw invalidCredentials()
  }
  const result = await transaction(db, (tx) => admit(tx, context, user, signIn, open))
  if ('error' in result) throw result.error
  return result
}

/**
 * A client may send the email address as `username`.
 * @throws HttpError `validation_failed` when both are sent and differ
 */
function withEmail(given: AdminCredentials | null | undefined): Credentials | null | undefined {
  const [email, username] = [given?.email?.trim() ?? '', given?.username?.trim() ?? '']
  if (email !== '' && username !== '' && nameOf(email) !== nameOf(username)) throw differentNames()
  return given && { password: given.password, email: email === '' ? username : email }
}

function nameOf(email: string): string {
  return readEmailAddress(email)?.canonical ?? email
}

/** Errors are returned instead of thrown, because the recorded attempt and its audit entry must commit. */
async function admit<Opened>(
  tx: Tx,
  { encryptions, clock }: IdentityContext,
  checked: AdminWithPassword,
  signIn: SignIn,
  open: OpenFor<Opened>,
): Promise<{ opened: Opened; user: AdminUser } | { error: HttpError }> {
  const at = clock.now()
  const { id } = checked
  const user = await lockAdmin(tx, id)
  // The password was changed during the check: the session would survive the change that should have ended it.
  if (!user || user.disabled_at || user.password_hash !== checked.password_hash) {
    const outcome = user?.disabled_at ? 'disabled' : 'wrong_password'
    await recordSignIn(tx, signIn, { outcome, subject: id, at })
    return { error: invalidCredentials() }
  }
  const factor = await findSecondFactor(tx, id)
  let usesRecoveryCode = false
  if (factor?.confirmed_at) {
    if (!signIn.code) {
      await recordSignIn(tx, signIn, { outcome: 'code_required', subject: id, at })
      return { error: secondFactorRequired() }
    }
    const check = await checkCode(tx, factor, signIn.code, { encryption: encryptions.secondFactors, now: at })
    if (!check.isRight) {
      if (check.outcome) await recordSignIn(tx, signIn, { outcome: check.outcome, subject: id, at })
      return { error: check.error }
    }
    usesRecoveryCode = check.with === 'recovery'
  }
  await updateAdmin(tx, id, { last_sign_in_at: at })
  const opened = await open(tx, user, at)
  const fields = usesRecoveryCode ? ['recoveryCode'] : []
  await recordSignIn(tx, signIn, { outcome: 'succeeded', actor: id, subject: id, fields, at })
  const admitted = await findAdmin(tx, id)
  if (!admitted) throw accountGone()
  return { opened, user: toAdminUser(admitted) }
}

async function recordSignIn(
  tx: Tx,
  { email, origin }: SignIn,
  record: { outcome: AuditOutcome; actor?: string; subject: string | undefined; fields?: string[]; at: Date },
): Promise<void> {
  await recordAudit(tx, { action: 'sign_in', email, origin, ...record })
}
