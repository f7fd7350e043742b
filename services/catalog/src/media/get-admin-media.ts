import type { App } from '@storefront/http'
import { Media, PictureUses } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { mediaNotFound } from '../errors.ts'
import { findMedia } from './media.queries.ts'
import { findUses } from './media-uses.queries.ts'
import { mediaResponse, MediaParams } from './media.ts'

const SHOWN_USES = 100

const MediaWithUses = Media.extend({ uses: PictureUses.describe('Where the shop shows the picture.') }).meta({
  id: 'MediaWithUses',
})

export function getAdminMediaRoute(app: App, { db, publicUrl }: { db: Database; publicUrl: string }): void {
  app.get('/admin/media/:id', {
    config: { access: { admin: 'catalog:read' }, errors: ['not_found'] },
    schema: {
      summary: 'An uploaded picture, and where it is used',
      description: `The addresses of all its sizes, with their dimensions and bytes, and what shows it: ${SHOWN_USES} products and as many other places at most.`,
      params: MediaParams,
      response: { 200: MediaWithUses },
    },
    handler: async ({ params }) => {
      const [row] = await findMedia(db, [params.id])
      if (!row) throw mediaNotFound()
      return { ...mediaResponse(row, publicUrl), uses: await findUses(db, row.id, SHOWN_USES) }
    },
  })
}
