import { sendPublicJson, type App } from '@storefront/http'
import { Collection, listOf } from '@storefront/contracts'
import type { LiveIndex, Moment } from '../listings/live-index.ts'
import { key } from '../listings/surrogate-keys.ts'
import { term } from '../listings/terms.ts'
import { shownPicture } from '../products/product-response.ts'
import { findCollections } from './collections.queries.ts'

export function listCollectionsRoute(app: App, context: { lists: LiveIndex; publicUrl: string }): void {
  app.get('/collections', {
    config: { access: 'public' },
    schema: {
      summary: 'The collections',
      description:
        'All collections in the order of the merchant, each with a picture and the number of its published products.',
      response: { 200: listOf(Collection) },
    },
    handler: async (_request, reply) => {
      const items = await context.lists.read((moment) => collectionsResponse(moment, context.publicUrl))
      return sendPublicJson(reply, JSON.stringify({ items, total: items.length }), [key.collections])
    },
  })
}

/**
 * All collections for clients: each with a picture at an absolute address, and the number of its published products.
 */
export async function collectionsResponse(moment: Moment, publicUrl: string): Promise<Collection[]> {
  const rows = await findCollections(moment.db)
  const { listings } = moment.index()
  return rows.map(({ image, position: _position, ...row }) => ({
    ...row,
    count: listings.itemsWith(term.collection(row.slug)).size,
    image: shownPicture(image, row.title, publicUrl),
  }))
}
