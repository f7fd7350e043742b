import { z } from 'zod'
import { isFlagSet, optionalFilter, pageFields, pageParameters, type App } from '@storefront/http'
import { listOf, Media } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findNewestMedia } from './media.queries.ts'
import { countUses } from './media-uses.queries.ts'
import { mediaResponse } from './media.ts'

const ListedMedia = Media.extend({
  useCount: z.int().nonnegative().describe('Products, drafts included, and other places of the shop that show it.'),
}).meta({ id: 'ListedMedia' })
const MediaList = listOf(ListedMedia).extend(pageFields).meta({ id: 'MediaList' })

export function listMediaRoute(app: App, { db, publicUrl }: { db: Database; publicUrl: string }): void {
  app.get('/admin/media', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'The uploaded pictures, newest first',
      description: 'Uploaded pictures, whether they are in use or not; pictures on other servers are not listed.',
      querystring: z.object({
        q: z.string().max(200).optional().describe('Part of the file name, in any case.'),
        unused: optionalFilter(z.enum(['0', '1', 'true', 'false']))
          .default('0')
          .describe('`1` or `true` lists only pictures that nothing in the shop shows.'),
        ...pageParameters(),
      }),
      response: { 200: MediaList },
    },
    handler: async ({ query }) => {
      const { q, page, per_page: perPage } = query
      const filters = { q, unused: isFlagSet(query.unused) }
      const found = await findNewestMedia(db, filters, { limit: perPage, offset: (page - 1) * perPage })
      const uses = await countUses(
        db,
        found.items.map(({ id }) => id),
      )
      const items = found.items.map((row) => ({ ...mediaResponse(row, publicUrl), useCount: uses.get(row.id) ?? 0 }))
      return { items, total: found.total, page, perPage }
    },
  })
}
