import type { App } from '@storefront/http'
import { listOf } from '@storefront/contracts'
import type { LiveIndex } from '../listings/live-index.ts'
import { term } from '../listings/terms.ts'
import { AdminCollection, collectionTag } from './admin-collection.ts'
import { findProductsByCollection, findStoredCollections } from './collections.queries.ts'

/** The collections as merchants saved them, in their order, each with its products. */
export function listAdminCollectionsRoute(app: App, { lists }: { lists: LiveIndex }): void {
  app.get(
    '/admin/collections',
    {
      config: { access: { admin: 'catalog:read' } },
      schema: {
        tags: ['Admin: catalog'],
        summary: 'The collections as merchants saved them, each with its products',
        description: 'All collections in their order, each with the slugs of its products, drafts included.',
        response: { 200: listOf(AdminCollection) },
      },
    },
    async () =>
      lists.read(async ({ db, index }) => {
        const rows = await findStoredCollections(db)
        const products = await findProductsByCollection(db)
        const { listings } = index()
        const items = rows.map((row) => ({
          ...row,
          etag: collectionTag(row, products.get(row.slug) ?? []),
          count: listings.itemsWith(term.collection(row.slug)).size,
          products: products.get(row.slug) ?? [],
        }))
        return { items, total: items.length }
      }),
  )
}
