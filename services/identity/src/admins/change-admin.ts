import { requireUnchanged, type App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import type { HttpError } from '@storefront/service'
import { AdminRole, declareReadOnly, type Permission } from '@storefront/contracts'
import { z } from 'zod'
import { countKeysOf, endKeysOf, type EndedKeys, type EndingKeys } from '../api-keys/end-keys.ts'
import type { IdentityContext } from '../context.ts'
import { attempts } from '../attempts/attempt.ts'
import { originOf, type Origin } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../database.ts'
import { adminNotFound, passwordNeeded, changedInOwnProfile, secondFactorNeedsItsUser } from '../errors.ts'
import { deleteSecondFactor } from '../second-factor/second-factor.queries.ts'
import { adminOf } from '../sessions/caller.ts'
import type { Revoked } from '../sessions/revoked.ts'
import { revokeAllAdminSessions } from '../sessions/sessions.queries.ts'
import {
  ADMIN_PASSWORD_RULE,
  AdminName,
  AdminParams,
  AdminUser,
  requireAllPermissionsOf,
  requireStrongAdminPassword,
  toAdminUser,
} from './admin.ts'
import { findAdmin, lockAdmin, lockAdminUsers, updateAdmin, type AdminWithPassword } from './admins.queries.ts'
import { KeysAfter, keysAfter, RevokeKeys } from './keys-of-admin.ts'
import {
  needsReauthentication,
  reauthenticateByCode,
  reauthenticateByPassword,
  ReauthenticationFields,
  type Reauthenticated,
} from './re-authenticate.ts'
import { requireAnotherOwner } from './require-another-owner.ts'

const AdminChange = z.object({
  name: AdminName.optional().describe('Shown in audits and in the list of users.'),
  role: AdminRole.optional().describe(
    "A new role ends the user's sessions, and the secret keys that have more permissions than it.",
  ),
  disabled: z
    .boolean()
    .optional()
    .describe('True ends the sessions and secret keys of the user and prevents signing in.'),
  password: z.string().optional().describe(`Replaces the password of another user. ${ADMIN_PASSWORD_RULE}`),
  secondFactor: z
    .boolean()
    .optional()
    .describe('False switches it off, for a user who lost the device. Only the user can switch it on.'),
  revokeKeys: RevokeKeys,
  ...ReauthenticationFields.shape,
})
declareReadOnly(AdminChange, {
  fixed: ['id', 'email', 'createdAt'],
  live: ['permissions', 'lastSignInAt', 'activeKeys', 'revokedKeys'],
})

const ChangedAdmin = AdminUser.extend(KeysAfter.shape)

type Change = Pick<z.output<typeof AdminChange>, 'name' | 'role' | 'disabled' | 'revokeKeys'> & {
  secondFactor: false | undefined
  passwordHash?: string | undefined
}

interface Changing {
  actor: { userId: string; permissions: readonly Permission[] }
  person: Reauthenticated | undefined
  origin: Origin
  at: Date
}

const ERRORS = [
  'conflict',
  'invalid_credentials',
  'missing_credentials',
  'not_found',
  'read_only_field',
  'weak_password',
] as const

export function changeAdminRoute(app: App, context: IdentityContext): void {
  const { db, passwords, revocations, verifyActor, clock } = context
  app.patch('/admin/users/:id', {
    config: {
      access: { admin: 'admins:write' },
      errors: ERRORS,
    },
    schema: {
      summary: 'Change, disable or enable an admin user',
      description:
        'Fields that are left out stay unchanged. Changing an owner, changing a role, enabling a user, and setting the ' +
        'password or second factor of another user require your own password as `currentPassword`, and a `code` if your ' +
        'second factor is on; a secret key can do none of these.',
      params: AdminParams,
      body: AdminChange,
      response: { 200: ChangedAdmin },
    },
    handler: async (request) => {
      const { id } = request.params
      const { password, currentPassword, code, secondFactor: wantedFactor, ...rest } = request.body
      const actor = adminOf(request.actor)
      const before = await findAdmin(db, id)
      if (!before) throw adminNotFound()
      const shown = toAdminUser(before)
      requireUnchanged(request.sentBack, shown)
      if (wantedFactor === true && !shown.secondFactor) throw secondFactorNeedsItsUser()
      // When a client sends the whole user back, false for a factor that is off changes nothing.
      const isSentBack = request.sentBack.some(({ path }) => path === 'id')
      const secondFactor = wantedFactor === false && (shown.secondFactor || !isSentBack) ? false : undefined
      // Otherwise a stolen session could bypass the password and the code that the routes for one's own data require.
      if (id === actor.userId && (password !== undefined || secondFactor === false)) throw changedInOwnProfile()
      if (password !== undefined) requireStrongAdminPassword(password)
      const origin = originOf(request, verifyActor)
      const person = needsReauthentication(shown, { ...rest, password, secondFactor })
        ? await reauthenticateByPassword(
            context,
            request.actor,
            { currentPassword, code },
            { action: 'change_user', subject: id, origin },
          )
        : undefined
      const passwordHash = password === undefined ? undefined : await passwords.hash(password)
      const changing = { actor, person, origin, at: clock.now() }
      const result = await transaction(db, (tx) =>
        changeAdmin(tx, context, id, { ...rest, secondFactor, passwordHash }, changing),
      )
      if ('error' in result) throw result.error
      await revocations.share(result.ended)
      await revocations.shareApiKeys(result.keys.revoked)
      return { ...result.user, ...keysAfter(result.keys) }
    },
  })
}

async function changeAdmin(
  tx: Tx,
  context: IdentityContext,
  id: string,
  change: Change,
  { actor, person, origin, at }: Changing,
): Promise<{ user: AdminUser; ended: Revoked[]; keys: EndedKeys } | { error: HttpError }> {
  // When two owners demote each other at the same moment, the second is rejected as the last owner.
  await lockAdminUsers(tx)
  const error = person && (await reauthenticateByCode(tx, person, context, at))
  if (error) return { error }
  const user = await lockAdmin(tx, id)
  if (!user) throw adminNotFound()
  // The user may have become an owner since the first check.
  const current = { role: user.role, disabled: user.disabled_at !== null }
  if (!person && needsReauthentication(current, { ...change, password: change.passwordHash })) throw passwordNeeded()
  requireAllPermissionsOf(user.role, actor.permissions)
  if (change.role !== undefined) requireAllPermissionsOf(change.role, actor.permissions)
  if ((change.role ?? user.role) !== 'owner' || change.disabled === true) await requireAnotherOwner(tx, user)

  const fields = changedFields(user, change)
  if (fields.length > 0) {
    const { name, role, passwordHash } = change
    const disabledAt = fields.includes('disabled') ? (change.disabled ? at : null) : undefined
    await updateAdmin(tx, id, { name, role, password_hash: passwordHash, disabled_at: disabledAt })
    // Wrong guesses of the old password no longer count, so that the user can sign in at once.
    if (passwordHash !== undefined)
      await attempts.clear(tx, { kind: 'admin_password', of: user.email_canonical ?? user.email })
    await recordAudit(tx, { action: 'change_user', actor: actor.userId, subject: id, fields, origin, at })
  }
  if (change.secondFactor === false && (await deleteSecondFactor(tx, id))) {
    // Wrong codes of the lost device no longer count, so that the user can set up another one at once.
    await attempts.clear(tx, { kind: 'second_factor', of: id })
    await recordAudit(tx, { action: 'second_factor_off', actor: actor.userId, subject: id, origin, at })
  }
  const endsSessions = fields.some((field) => field !== 'name')
  const ended = endsSessions ? await revokeAllAdminSessions(tx, id, at) : []
  const keys = await endKeys(tx, id, { ...change, fields }, { actor: actor.userId, origin, at })
  const changed = await findAdmin(tx, id)
  if (!changed) throw adminNotFound()
  return { user: toAdminUser(changed), ended, keys }
}

/** Ends the keys of a disabled user, those that exceed a new role, or all on request. */
async function endKeys(
  tx: Tx,
  id: string,
  { disabled, role, revokeKeys, fields }: Change & { fields: readonly string[] },
  ending: EndingKeys,
): Promise<EndedKeys> {
  if (disabled === true) return endKeysOf(tx, id, 'user_disabled', ending)
  if (revokeKeys === true)
    return endKeysOf(tx, id, fields.includes('password') ? 'password_changed' : 'all_revoked', ending)
  if (role !== undefined && fields.includes('role')) return endKeysOf(tx, id, 'role_changed', ending, { beyond: role })
  return { revoked: [], left: await countKeysOf(tx, id, ending.at) }
}

function changedFields(user: AdminWithPassword, { name, role, disabled, passwordHash }: Change): string[] {
  return [
    ...(name !== undefined && name !== user.name ? ['name'] : []),
    ...(role !== undefined && role !== user.role ? ['role'] : []),
    ...(disabled !== undefined && disabled !== (user.disabled_at !== null) ? ['disabled'] : []),
    ...(passwordHash === undefined ? [] : ['password']),
  ]
}
