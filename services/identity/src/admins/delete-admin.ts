import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import type { z } from 'zod'
import { endKeysOf } from '../api-keys/end-keys.ts'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { adminNotFound, passwordNeeded } from '../errors.ts'
import { keepFormerAdmin } from '../actors/actors.queries.ts'
import { adminOf } from '../sessions/caller.ts'
import { revokeAllAdminSessions } from '../sessions/sessions.queries.ts'
import { AdminParams, requireAllPermissionsOf, toAdminUser } from './admin.ts'
import { deleteAdmin, findAdmin, lockAdmin, lockAdminUsers } from './admins.queries.ts'
import { KeysAfter } from './keys-of-admin.ts'
import {
  needsReauthentication,
  reauthenticateByCode,
  reauthenticateByPassword,
  ReauthenticationFields,
} from './re-authenticate.ts'
import { requireAnotherOwner } from './require-another-owner.ts'

const Removed = Ok.extend(KeysAfter.pick({ revokedKeys: true }).shape)

export function deleteAdminRoute(app: App, context: IdentityContext): void {
  const { db, revocations, verifyActor, clock } = context
  app.delete('/admin/users/:id', {
    config: {
      access: { admin: 'admins:write' },
      errors: ['conflict', 'invalid_credentials', 'missing_credentials', 'not_found'],
    },
    schema: {
      summary: 'Remove an admin user',
      description:
        'Ends the sessions and secret keys of the user; audits keep the name. Removing an owner requires your own password as ' +
        '`currentPassword`, and a `code` if your second factor is on; a secret key cannot remove one.',
      params: AdminParams,
      body: ReauthenticationFields.nullish(),
      response: { 200: Removed },
    },
    handler: async (request): Promise<z.output<typeof Removed>> => {
      const { id } = request.params
      const actor = adminOf(request.actor)
      const origin = originOf(request, verifyActor)
      const operation = { action: 'delete_user', subject: id, origin } as const
      const before = await findAdmin(db, id)
      if (!before) throw adminNotFound()
      const person = needsReauthentication(toAdminUser(before), {})
        ? await reauthenticateByPassword(context, request.actor, request.body ?? {}, operation)
        : undefined
      const at = clock.now()
      const result = await transaction(db, async (tx) => {
        await lockAdminUsers(tx)
        const error = person && (await reauthenticateByCode(tx, person, context, at))
        if (error) return { error }
        const user = await lockAdmin(tx, id)
        if (!user) throw adminNotFound()
        // The user may have become an owner since the first check.
        if (!person && user.role === 'owner') throw passwordNeeded()
        requireAllPermissionsOf(user.role, actor.permissions)
        await requireAnotherOwner(tx, user)
        await recordAudit(tx, { ...operation, actor: actor.userId, email: user.email, at })
        const keys = await endKeysOf(tx, id, 'user_removed', { actor: actor.userId, origin, at })
        await keepFormerAdmin(tx, id, at)
        await deleteAdmin(tx, id)
        return { ended: await revokeAllAdminSessions(tx, id, at), keys: keys.revoked }
      })
      if (result.error) throw result.error
      await revocations.share(result.ended)
      await revocations.shareApiKeys(result.keys)
      return { ok: true, revokedKeys: result.keys.length }
    },
  })
}
