import type { App } from '@storefront/http'
import { Media } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { mediaNotFound } from '../errors.ts'
import { findMedia } from './media.queries.ts'
import { mediaResponse, MediaParams } from './media.ts'

/** One uploaded picture. */
export function showMediaRoute(app: App, { db, publicUrl }: { db: Database; publicUrl: string }): void {
  app.get(
    '/admin/media/:id',
    {
      config: { access: { admin: 'catalog:read' }, errors: ['not_found'] },
      schema: {
        tags: ['Admin: catalog'],
        summary: 'An uploaded picture',
        description: 'The addresses of all its sizes, with their dimensions and bytes.',
        params: MediaParams,
        response: { 200: Media },
      },
    },
    async ({ params }) => {
      const [row] = await findMedia(db, [params.id])
      if (!row) throw mediaNotFound()
      return mediaResponse(row, publicUrl)
    },
  )
}
