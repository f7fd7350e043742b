import { z } from 'zod'
import type { ActorNames } from '@storefront/audit'
import { latestFirstFields, latestFirstPage, latestFirstParameters, offsetOf, type App } from '@storefront/http'
import { BulkEdit, listOf } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { bulkEditResponses } from './bulk-edit-response.ts'
import { countBulkEdits, findBulkEdits } from './bulk-edits.queries.ts'

export function listBulkEditsRoute(app: App, { db, names }: { db: Database; names: ActorNames }): void {
  app.get('/admin/products/bulk', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'The bulk edits of the last thirty days, latest first',
      description: 'Waiting, running, finished and canceled ones, and undos.',
      querystring: z.object(latestFirstParameters()),
      response: { 200: listOf(BulkEdit).extend(latestFirstFields) },
    },
    handler: async ({ query }) => {
      const total = await countBulkEdits(db)
      const found = await findBulkEdits(db, {
        limit: query.per_page + 1,
        offset: offsetOf(query, query.before_id),
        before: query.before_id,
      })
      const page = latestFirstPage(found, query)
      return { ...page, items: await bulkEditResponses(page.items, names), total }
    },
  })
}
