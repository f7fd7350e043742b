import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import type { HttpError } from '@storefront/service'
import { readEmailAddress, ROLE_PERMISSIONS, Timestamp } from '@storefront/contracts'
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
import { openSession } from '../sessions/open-session.ts'
import { AdminUser, toAdminUser } from './admin.ts'
import { findAdmin, findAdminByEmail, lockAdmin, updateAdmin, type AdminWithPassword } from './admins.queries.ts'

const AdminCredentials = Credentials.extend({
  username: z.string().nullish().describe('Another name for `email`; when both are sent, they must be the same.'),
  code: z
    .string()
    .nullish()
    .describe('From the authenticator app, or a recovery code; required if the second factor is on.'),
})
const Admission = z
  .object({
    token: z.string().describe('Send it as `Authorization: Bearer <token>` with requests below /admin.'),
    expiresAt: Timestamp.describe('When the token expires, 12 hours from now.'),
    user: AdminUser.describe('The user that the token belongs to.'),
  })
  .meta({ id: 'AdminSignedIn' })
type Admission = z.output<typeof Admission>

interface SignIn {
  email: string
  code: string | null | undefined
  origin: Origin
}

export function logInAdminRoute(app: App, context: IdentityContext): void {
  const { db, passwords, verifyActor, clock } = context
  app.post('/admin/auth/login', {
    config: { access: 'public', errors: ['invalid_credentials', 'missing_credentials', 'second_factor_required'] },
    schema: {
      tags: ['Admin: sign-in'],
      summary: 'Sign in as an admin, with `email` or `username`, which both take the email address',
      description:
        'Opens a session of 12 hours. A user whose second factor is on must send a `code` as well; without one the ' +
        'error is `second_factor_required`.',
      body: AdminCredentials.nullish(),
      response: { 200: Admission },
    },
    handler: async (request) => {
      const { email, password } = requireCredentials(withEmail(request.body))
      const signIn = { email, code: request.body?.code, origin: originOf(request, verifyActor) }
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
        await recordFailure(!user ? 'unknown' : matches ? 'disabled' : 'wrong_password')
        throw invalidCredentials()
      }
      const result = await transaction(db, (tx) => admit(tx, context, user, signIn))
      if ('error' in result) throw result.error
      return result
    },
  })
}

/**
 * A client may send the email address as `username`.
 * @throws HttpError `validation_failed` when both are sent and differ
 */
function withEmail(given: z.output<typeof AdminCredentials> | null | undefined): Credentials | null | undefined {
  const [email, username] = [given?.email?.trim() ?? '', given?.username?.trim() ?? '']
  if (email !== '' && username !== '' && nameOf(email) !== nameOf(username)) throw differentNames()
  return given && { password: given.password, email: email === '' ? username : email }
}

function nameOf(email: string): string {
  return readEmailAddress(email)?.canonical ?? email
}

/** Errors are returned instead of thrown, because the recorded attempt and its audit entry must commit. */
async function admit(
  tx: Tx,
  { tokens, encryptions, clock }: IdentityContext,
  checked: AdminWithPassword,
  signIn: SignIn,
): Promise<Admission | { error: HttpError }> {
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
  await updateAdmin(tx, id, { lastSignInAt: at })
  const permissions = ROLE_PERMISSIONS[user.role]
  const { token, expiresAt } = await openSession(tx, tokens, { kind: 'admin', adminUserId: id, permissions }, at)
  const fields = usesRecoveryCode ? ['recoveryCode'] : []
  await recordSignIn(tx, signIn, { outcome: 'succeeded', actor: id, subject: id, fields, at })
  const admitted = await findAdmin(tx, id)
  if (!admitted) throw accountGone()
  return { token, expiresAt: expiresAt.toISOString(), user: toAdminUser(admitted) }
}

async function recordSignIn(
  tx: Tx,
  { email, origin }: SignIn,
  record: { outcome: AuditOutcome; actor?: string; subject: string | undefined; fields?: string[]; at: Date },
): Promise<void> {
  await recordAudit(tx, { action: 'sign_in', email, origin, ...record })
}
