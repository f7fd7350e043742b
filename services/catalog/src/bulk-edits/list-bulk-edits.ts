import { z } from 'zod'
import type { ActorNames } from '@storefront/audit'
import { PerPage, perPageParameter, type App } from '@storefront/http'
import { BulkEdit, listOf } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { bulkEditResponses } from './bulk-edit-response.ts'
import { countBulkEdits, findBulkEdits } from './bulk-edits.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100

const ListQuery = z.object({
  before_id: z.string().max(200).optional().describe('`nextBeforeId` of the page before.'),
  per_page: perPageParameter({ default: DEFAULT_PER_PAGE, max: MAX_PER_PAGE }),
})

/** The bulk edits of the last thirty days, latest first. */
export function listBulkEditsRoute(app: App, { db, names }: { db: Database; names: ActorNames }): void {
  app.get(
    '/admin/products/bulk',
    {
      config: { access: { admin: 'catalog:read' } },
      schema: {
        tags: ['Admin: catalog'],
        summary: 'The bulk edits of the last thirty days, latest first',
        description: 'Waiting, running, finished and canceled ones, and undos.',
        querystring: ListQuery,
        response: {
          200: listOf(BulkEdit).extend({
            perPage: PerPage,
            nextBeforeId: z
              .string()
              .optional()
              .describe('Send it as `before_id` for the next page; left out on the last.'),
          }),
        },
      },
    },
    async ({ query }) => {
      const total = await countBulkEdits(db)
      const found = await findBulkEdits(db, query.per_page + 1, query.before_id)
      const items = await bulkEditResponses(found.slice(0, query.per_page), names)
      const last = items.at(-1)
      const hasMore = found.length > items.length && last
      return { items, total, perPage: query.per_page, ...(hasMore && { nextBeforeId: last.id }) }
    },
  )
}
