import { z } from 'zod'
import { sendPublicJson, type App } from '@storefront/chassis'
import { clampedInteger, ProductList, ProductSort } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { facetsOfScope, type Scope } from '../facets/listing-scope.ts'
import { findList, type ListFilters } from './list.queries.ts'

export const DEFAULT_PER_PAGE = 12
export const MAX_PER_PAGE = 48

const commaSeparated = z
  .string()
  .max(2000)
  .optional()
  .transform((text) =>
    (text ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  )

const minorUnits = z
  .string()
  .regex(/^\d{1,15}$/, 'must be an integer in minor units')
  .transform(Number)
  .optional()

export const ListQuery = z.object({
  category: z.string().max(200).optional(),
  collection: z.string().max(200).optional(),
  q: z.string().max(9000).optional(),
  sizes: commaSeparated,
  colors: commaSeparated,
  tags: commaSeparated,
  min_price: minorUnits,
  max_price: minorUnits,
  in_stock: z.enum(['1', 'true', '0', 'false', '']).optional(),
  sort: ProductSort.default('featured'),
  page: clampedInteger({ default: 1, min: 1, max: 1_000_000 }),
  per_page: clampedInteger({ default: DEFAULT_PER_PAGE, min: 1, max: MAX_PER_PAGE }),
})
export type ListQuery = z.output<typeof ListQuery>

/** The product list: stored answers, put together as text. */
export function listProductsRoute(app: App, { db }: { db: Database }): void {
  app.get(
    '/products',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Catalogue'],
        summary: 'A list of products, with filters and facets',
        querystring: ListQuery,
        response: { 200: ProductList },
      },
    },
    async ({ query }, reply) => {
      const filters = filtersOf(query)
      const list = await findList(db, filters)
      const scope = list.scope ?? (await facetsOfScope(db, filters.scope))
      const total = list.total ?? scope.total
      const body = `{"items":[${list.items}],"total":${total},"page":${query.page},"perPage":${query.per_page},"facets":${scope.facets}}`
      return sendPublicJson(reply, body, [
        'listing',
        ...(isAboutStock(query) ? ['listing-stock'] : []),
        ...list.slugs.map((slug) => `product:${slug}`),
      ])
    },
  )
}

function filtersOf(query: ListQuery): ListFilters {
  return {
    scope: scopeOf(query),
    search: query.q?.trim() ?? '',
    sizes: query.sizes,
    colors: query.colors,
    tags: query.tags,
    minPrice: query.min_price,
    maxPrice: query.max_price,
    inStock: query.in_stock === '1' || query.in_stock === 'true',
    sort: query.sort,
    limit: query.per_page,
    offset: (query.page - 1) * query.per_page,
  }
}

function scopeOf(query: ListQuery): Scope {
  return {
    category: query.category === '' ? undefined : query.category,
    collection: query.collection === '' ? undefined : query.collection,
  }
}

/** Whether a product can enter or leave this list because something was bought. */
function isAboutStock(query: ListQuery): boolean {
  return query.in_stock !== undefined || query.sizes.length > 0
}
