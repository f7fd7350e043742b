import { z } from 'zod'
import { pageFields, pageParameters, type App } from '@storefront/http'
import { snapshot } from '@storefront/postgres'
import { AdminProduct, AdminProductSort, listOf } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findAdminProducts, type AdminProductContext } from './admin-product.ts'
import { findAdminList, type AdminListFilters } from './admin-products.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100
/** Each word costs a check of every row that the other words leave. */
const MAX_WORDS = 8

const AdminListQuery = z.object({
  q: z.string().max(500).default('').describe('Words that a product must all contain.'),
  published: z.enum(['true', 'false']).optional().describe('`false` lists only drafts; left out, all are listed.'),
  category: z
    .string()
    .max(200)
    .optional()
    .describe('Slug of a category; products in its subcategories are listed too.'),
  sort: AdminProductSort.default('newest').describe('Order of the list: `newest` when left out.'),
  ...pageParameters({ default: DEFAULT_PER_PAGE, max: MAX_PER_PAGE }),
})

/** All products, newest first, drafts too. */
export function listAdminProductsRoute(app: App, context: AdminProductContext & { db: Database }): void {
  app.get(
    '/admin/products',
    {
      config: { access: { admin: 'catalog:read' } },
      schema: {
        tags: ['Admin: catalog'],
        summary: 'All products, published or not',
        description:
          'Newest first by default. Every word of `q` must be the id or a part of the title, the ' +
          'slug, a tag or a SKU. `category` includes subcategories.',
        querystring: AdminListQuery,
        response: { 200: listOf(AdminProduct).extend(pageFields) },
      },
    },
    async ({ query }) => {
      const { page, per_page: perPage, sort } = query
      const filters: AdminListFilters = {
        words: wordsOf(query.q),
        published: query.published === undefined ? undefined : query.published === 'true',
        category: query.category === '' ? undefined : query.category,
      }
      return snapshot(context.db, async (db) => {
        const { total, ids } = await findAdminList(db, filters, { sort, offset: (page - 1) * perPage, limit: perPage })
        return { items: await findAdminProducts(db, ids, context), total, page, perPage }
      })
    },
  )
}

/** The longest words are the most selective. */
function wordsOf(text: string): string[] {
  const words = new Set(text.split(/\s+/u).filter((word) => word !== ''))
  return [...words].toSorted((one, other) => other.length - one.length).slice(0, MAX_WORDS)
}
