import { optionalFilter, pageFields, pageParameters, type App } from '@storefront/http'
import { snapshot } from '@storefront/postgres'
import { AdminProduct, AdminProductFilters, AdminProductSort, listOf } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { findAdminProducts } from './admin-product.ts'
import { listFiltersOf } from './admin-list-filters.ts'
import { findAdminList, findNamedProducts } from './admin-products.queries.ts'
import { slugList, slugsIn } from './slug-list.ts'

const MAX_SLUGS = 100

const { published } = AdminProductFilters.shape

const AdminListQuery = AdminProductFilters.extend({
  published: optionalFilter(published).describe(published.description ?? ''),
  sort: AdminProductSort.default('newest').describe('Order of the list: `newest` when left out.'),
  slugs: slugList(MAX_SLUGS)
    .refine((text) => slugsIn(text).length <= MAX_SLUGS, `must not be more than ${MAX_SLUGS} slugs`)
    .optional()
    .describe(
      `Up to ${MAX_SLUGS} slugs joined by commas: these products in this order, without other filters. Unknown ones are left out.`,
    ),
  ...pageParameters(),
})

export function listAdminProductsRoute(app: App, context: CatalogContext): void {
  app.get('/admin/products', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'All products, published or not',
      description:
        'Newest first by default. Every word of `q` must be the id of the product, or a part of its title, its ' +
        'slug, a tag or a SKU. `category` includes subcategories.',
      querystring: AdminListQuery,
      response: { 200: listOf(AdminProduct).extend(pageFields) },
    },
    handler: async ({ query }) => {
      const { page, per_page: perPage, sort } = query
      const range = { offset: (page - 1) * perPage, limit: perPage }
      return snapshot(context.db, async (db) => {
        const { total, ids } =
          query.slugs === undefined
            ? await findAdminList(db, listFiltersOf(query), { sort, ...range })
            : await findNamedProducts(db, slugsIn(query.slugs), range)
        return { items: await findAdminProducts(db, ids, context), total, page, perPage }
      })
    },
  })
}
