import { recordAction } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { bulkEditEnded } from '../errors.ts'
import { BulkEditParams } from './bulk-edit-response.ts'
import { cancelBulkEdit, findBulkEdit } from './bulk-edits.queries.ts'

export function cancelBulkEditRoute(app: App, { db, clock }: CatalogContext): void {
  app.delete('/admin/products/bulk/:id', {
    config: { access: { admin: 'catalog:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Cancel a bulk edit: the remaining products stay as they are',
      description:
        'Products that were changed already stay changed, and can be restored by an undo. A bulk edit that is done is 409 ' +
        '`conflict`. Repeating the request gets the same reply.',
      params: BulkEditParams,
      response: { 200: Ok },
    },
    handler: async ({ params: { id }, actor }) => {
      const at = clock.now()
      const isCancelled = await transaction(db, async (tx) => {
        // The batch that is being processed is rolled back.
        const cancels = await cancelBulkEdit(tx, id, at)
        const subject = { kind: 'bulk-edit' as const, id }
        if (cancels) await recordAction(tx, { actor, action: 'delete', subject, at })
        return cancels
      })
      const { state } = await findBulkEdit(db, id)
      if (!isCancelled && state !== 'cancelled') throw bulkEditEnded(state)
      return { ok: true as const }
    },
  })
}
