import { z } from 'zod'
import { isFlagSet, type App } from '@storefront/http'
import { listOf } from '@storefront/contracts'
import type { LiveIndex, Moment } from '../listings/live-index.ts'
import { term } from '../listings/terms.ts'
import { collectionTag, ListedCollection } from './admin-collection.ts'
import {
  countProductsByCollection,
  findProductsByCollection,
  findCollections,
  type StoredCollection,
} from './collections.queries.ts'

type Contents = Pick<z.output<typeof ListedCollection>, 'productCount' | 'products' | 'etag'>

export function listAdminCollectionsRoute(app: App, { lists }: { lists: LiveIndex }): void {
  app.get('/admin/collections', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'The collections as merchants saved them, each with its products',
      description: 'All collections in their order, each with the slugs of its products, drafts included.',
      querystring: z.object({
        products: z
          .enum(['0', '1', 'true', 'false'])
          .default('1')
          .describe(
            '`0` or `false` leaves out `products`, and `etag`, which depends on them: with thousands of products the list ' +
              'is read many times faster.',
          ),
      }),
      response: { 200: listOf(ListedCollection) },
    },
    handler: async ({ query }) =>
      lists.read(async (moment) => {
        const isWhole = isFlagSet(query.products)
        const rows = await findCollections(moment.db)
        const contentsOf = isWhole ? await readProducts(moment) : await countProducts(moment)
        const { listings } = moment.index()
        const items = rows.map((row) => ({
          ...row,
          count: listings.itemsWith(term.collection(row.slug)).size,
          ...contentsOf(row),
        }))
        return { items, total: items.length }
      }),
  })
}

async function readProducts({ db }: Moment): Promise<(collection: StoredCollection) => Contents> {
  const all = await findProductsByCollection(db)
  return (collection) => {
    const products = all.get(collection.slug) ?? []
    return { productCount: products.length, etag: collectionTag(collection, products), products }
  }
}

async function countProducts({ db }: Moment): Promise<(collection: StoredCollection) => Contents> {
  const counts = await countProductsByCollection(db)
  return ({ slug }) => ({ productCount: counts.get(slug) ?? 0 })
}
