import { transaction, type App } from '@storefront/chassis'
import { AdminRole, OpaqueId, type Permission } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { originOf, type Origin } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../database.ts'
import { adminNotFound, proveYourself } from '../errors.ts'
import { deleteSecondFactor } from '../second-factor/second-factor.queries.ts'
import { adminOf } from '../sessions/caller.ts'
import type { Revoked } from '../sessions/revoked.ts'
import { revokeAllAdminSessions } from '../sessions/sessions.queries.ts'
import { AdminName, AdminUser, requireAllPermissionsOf, requireStrongAdminPassword, toAdminUser } from './admin.ts'
import { findAdmin, lockAdmin, lockAdminUsers, updateAdmin, type AdminWithPassword } from './admins.queries.ts'
import { requireAnotherOwner } from './require-another-owner.ts'

const AdminChange = z.object({
  name: AdminName.optional(),
  role: AdminRole.optional(),
  disabled: z.boolean().optional(),
  password: z.string().optional(),
  /** For somebody who lost the device; switching it on is for the user alone. */
  secondFactor: z.literal(false).optional(),
})

type Change = Omit<z.output<typeof AdminChange>, 'password'> & { passwordHash?: string | undefined }

interface Changing {
  actor: { userId: string; permissions: readonly Permission[] }
  origin: Origin
  at: Date
}

export function changeAdminRoute(app: App, { db, passwords, revocations, verifyActor, clock }: Dependencies): void {
  app.patch('/admin/users/:id', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      tags: ['Admin: users'],
      summary: 'Change, disable or enable an admin user',
      params: z.object({ id: OpaqueId }),
      body: AdminChange,
      response: { 200: AdminUser },
    },
    handler: async (request) => {
      const { id } = request.params
      const { password, ...rest } = request.body
      const actor = adminOf(request.actor)
      // Else a stolen session could do without the password and the code that their own routes ask for.
      if (id === actor.userId && (password !== undefined || rest.secondFactor === false)) throw proveYourself()
      if (password !== undefined) requireStrongAdminPassword(password)
      const passwordHash = password === undefined ? undefined : await passwords.hash(password)
      const changing = { actor, origin: originOf(request, verifyActor), at: clock.now() }
      const { user, ended } = await transaction(db, (tx) => changeAdmin(tx, id, { ...rest, passwordHash }, changing))
      await revocations.share(ended)
      return user
    },
  })
}

async function changeAdmin(
  tx: Tx,
  id: string,
  change: Change,
  { actor, origin, at }: Changing,
): Promise<{ user: AdminUser; ended: Revoked[] }> {
  // Two owners who demote each other at the same moment: the second finds that there is no other any more.
  await lockAdminUsers(tx)
  const user = await lockAdmin(tx, id)
  if (!user) throw adminNotFound()
  requireAllPermissionsOf(user.role, actor.permissions)
  if (change.role !== undefined) requireAllPermissionsOf(change.role, actor.permissions)
  if ((change.role ?? user.role) !== 'owner' || change.disabled === true) await requireAnotherOwner(tx, user)

  const fields = changedFields(user, change)
  if (fields.length > 0) {
    const { name, role, passwordHash } = change
    const disabledAt = fields.includes('disabled') ? (change.disabled ? at : null) : undefined
    await updateAdmin(tx, id, { name, role, passwordHash, disabledAt })
    await recordAudit(tx, { action: 'change_user', actor: actor.userId, subject: id, fields, origin, at })
  }
  if (change.secondFactor === false && (await deleteSecondFactor(tx, id))) {
    await recordAudit(tx, { action: 'second_factor_off', actor: actor.userId, subject: id, origin, at })
  }
  const endsSessions = fields.some((field) => field !== 'name')
  const ended = endsSessions ? await revokeAllAdminSessions(tx, id, at) : []
  const changed = await findAdmin(tx, id)
  if (!changed) throw adminNotFound()
  return { user: toAdminUser(changed), ended }
}

function changedFields(user: AdminWithPassword, { name, role, disabled, passwordHash }: Change): string[] {
  return [
    ...(name !== undefined && name !== user.name ? ['name'] : []),
    ...(role !== undefined && role !== user.role ? ['role'] : []),
    ...(disabled !== undefined && disabled !== (user.disabled_at !== null) ? ['disabled'] : []),
    ...(passwordHash === undefined ? [] : ['password']),
  ]
}
