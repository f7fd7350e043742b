import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok, OpaqueId } from '@storefront/contracts'
import { z } from 'zod'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { IdentityContext } from '../context.ts'
import { viewNotFound } from '../errors.ts'
import { adminPersonOf } from '../sessions/caller.ts'
import { deleteView } from './views.queries.ts'

export function deleteViewRoute(app: App, { db, clock, verifyActor }: IdentityContext): void {
  app.delete('/admin/views/:id', {
    config: { access: 'admin-user', errors: ['not_found'] },
    schema: {
      summary: 'Delete a saved view',
      description: 'Only your own: those of other users are not found.',
      params: z.object({ id: OpaqueId.describe('Id of a saved view, as GET /admin/views lists it.') }),
      response: { 200: Ok },
    },
    handler: async (request) => {
      const { userId } = adminPersonOf(request.actor)
      const { id } = request.params
      const origin = originOf(request, verifyActor)
      await transaction(db, async (tx) => {
        const deleted = await deleteView(tx, userId, id)
        if (!deleted) throw viewNotFound()
        const fields = [deleted.screen]
        await recordAudit(tx, { action: 'delete_view', actor: userId, subject: id, fields, origin, at: clock.now() })
      })
      return { ok: true as const }
    },
  })
}
