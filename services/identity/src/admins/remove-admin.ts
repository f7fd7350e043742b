import { transaction, type App } from '@storefront/chassis'
import { Ok, OpaqueId } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { adminNotFound } from '../errors.ts'
import { adminOf } from '../sessions/caller.ts'
import { revokeAllAdminSessions } from '../sessions/sessions.queries.ts'
import { requireAllPermissionsOf } from './admin.ts'
import { deleteAdmin, lockAdmin, lockAdminUsers } from './admins.queries.ts'
import { requireAnotherOwner } from './require-another-owner.ts'

export function removeAdminRoute(app: App, { db, revocations, verifyActor, clock }: Dependencies): void {
  app.delete('/admin/users/:id', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      tags: ['Admin: users'],
      summary: 'Remove an admin user',
      params: z.object({ id: OpaqueId }),
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const { id } = request.params
      const actor = adminOf(request.actor)
      const origin = originOf(request, verifyActor)
      const at = clock.now()
      const ended = await transaction(db, async (tx) => {
        await lockAdminUsers(tx)
        const user = await lockAdmin(tx, id)
        if (!user) throw adminNotFound()
        requireAllPermissionsOf(user.role, actor.permissions)
        await requireAnotherOwner(tx, user)
        await recordAudit(tx, {
          action: 'delete_user',
          actor: actor.userId,
          subject: id,
          email: user.email,
          origin,
          at,
        })
        await deleteAdmin(tx, id)
        return revokeAllAdminSessions(tx, id, at)
      })
      await revocations.share(ended)
      return { ok: true }
    },
  })
}
