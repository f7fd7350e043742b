import type { App } from '@storefront/http'
import { collectionNotFound } from '../errors.ts'
import type { LiveIndex } from '../listings/live-index.ts'
import { term } from '../listings/terms.ts'
import { AdminCollection, CollectionParams, collectionTag } from './admin-collection.ts'
import { findProductsInCollection, findStoredCollection } from './collections.queries.ts'

export function getCollectionRoute(app: App, { lists }: { lists: LiveIndex }): void {
  app.get('/admin/collections/:slug', {
    config: { access: { admin: 'catalog:read' }, errors: ['not_found'] },
    schema: {
      summary: 'One collection as a merchant saved it',
      description:
        'The collection with the slugs of all its products, drafts included. Send the ETag back as If-Match with a change.',
      params: CollectionParams,
      response: { 200: AdminCollection },
    },
    handler: async ({ params: { slug } }, reply) => {
      const collection = await lists.read(async ({ db, index }) => {
        const row = await findStoredCollection(db, slug)
        if (!row) throw collectionNotFound()
        const products = (await findProductsInCollection(db, slug)).map((product) => product.slug)
        const count = index().listings.itemsWith(term.collection(slug)).size
        return { ...row, count, productCount: products.length, products, etag: collectionTag(row, products) }
      })
      reply.header('etag', collection.etag)
      return collection
    },
  })
}
