import type { ActorNames } from '@storefront/audit'
import type { App } from '@storefront/http'
import { BulkEdit } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { bulkEditResponse, BulkEditParams } from './bulk-edit-response.ts'
import { findBulkEdit } from './bulk-edits.queries.ts'

export function getBulkEditRoute(app: App, { db, names }: { db: Database; names: ActorNames }): void {
  app.get('/admin/products/bulk/:id', {
    config: { access: { admin: 'catalog:read' }, errors: ['not_found'] },
    schema: {
      summary: 'The progress and result of a bulk edit',
      description: 'Poll it until `state` is `done` or `cancelled`. The record is kept for thirty days.',
      params: BulkEditParams,
      response: { 200: BulkEdit },
    },
    handler: async ({ params }) => bulkEditResponse(await findBulkEdit(db, params.id), names),
  })
}
