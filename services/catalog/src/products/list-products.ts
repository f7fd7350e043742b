import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { isFlagSet, pageParameters, sendPublicJson, type App } from '@storefront/http'
import { ProductList, ProductSort } from '@storefront/contracts'
import { decodeCursor, encodeCursor } from '../listings/cursor.ts'
import { bodyRejected } from '../errors.ts'
import { findList, type FoundList } from '../listings/find-list.ts'
import { findNamedList } from '../listings/find-named-list.ts'
import { fingerprintOfFilters, MAX_VALUES, type TypedFilters } from '../listings/filters.ts'
import type { LiveIndex } from '../listings/live-index.ts'
import { keysOfList, keysOfNamedList } from '../listings/surrogate-keys.ts'
import { filled } from '../settings/settings-in-force.ts'
import { withItems } from './item-cache.ts'
import { slugList, slugsIn } from './slug-list.ts'

const DEFAULT_PER_PAGE = 12
const MAX_PER_PAGE = 48
/** The maximum of a wishlist; a guest's may be longer. */
const MAX_SLUGS = 200
/** A value that contains commas counts as several parts. */
const MAX_PARTS = 5 * MAX_VALUES

const commaSeparated = z
  .string()
  .max(5000)
  .refine((text) => text.split(',').length <= MAX_PARTS, `must not have more than ${MAX_VALUES} values`)
  .default('')

const minorUnits = z
  .string()
  .regex(/^-?\d+$/, 'must be an integer in minor units')
  .meta({ type: 'integer' })
  .transform((text) => Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Number(text))))
  .optional()

const ListQuery = z.object({
  category: z
    .string()
    .max(200)
    .optional()
    .describe('Slug of a category; its subcategories are included. An unknown slug finds nothing.'),
  collection: z.string().max(200).optional().describe('Slug of a collection. An unknown slug finds nothing.'),
  q: z.string().max(9000).optional().describe('What a shopper types into the search; typing errors are forgiven.'),
  sizes: commaSeparated.describe('Sizes joined by commas: at least one of them must be available.'),
  colors: commaSeparated.describe('Color names joined by commas. With `sizes`, one variant must have both.'),
  tags: commaSeparated.describe('Tags joined by commas: a product must have at least one of them.'),
  min_price: minorUnits.describe('Lowest price, in minor units such as cents.'),
  max_price: minorUnits.describe('Highest price, in minor units such as cents.'),
  in_stock: z
    .enum(['1', 'true', '0', 'false', ''])
    .optional()
    .describe('`1` or `true` lists only products that have an available variant.'),
  sort: ProductSort.default('featured').describe('Order of the list. With `q`, `featured` puts the best match first.'),
  ...pageParameters({ default: DEFAULT_PER_PAGE, max: MAX_PER_PAGE }),
  cursor: z
    .string()
    .optional()
    .describe('`nextCursor` of the previous page, instead of `page`, with the same filters and sort.'),
  slugs: slugList(MAX_SLUGS)
    .optional()
    .describe(
      `Slugs joined by commas: these products in this order, without other filters. Only the first ${MAX_SLUGS} count.`,
    ),
})
type ListQuery = z.output<typeof ListQuery>

/** The product list: stored responses, assembled as text. */
export function listProductsRoute(app: App, { lists }: { lists: LiveIndex }): void {
  app.get('/products', {
    config: { access: 'public' },
    schema: {
      summary: 'A list of products, with filters and facets',
      description:
        'With `slugs`, joined by commas, these products in this order, by former slugs too; those that do not exist or are ' +
        'not published are left out. It cannot be combined with filters, a search or a sort.',
      querystring: ListQuery,
      response: { 200: ProductList },
    },
    handler: async ({ query }, reply) => {
      if (query.slugs !== undefined) return sendNamed(reply, lists, query, slugsIn(query.slugs).slice(0, MAX_SLUGS))
      const filters = typedFilters(query)
      const search = query.q?.trim() ?? ''
      const { sort } = query
      const fingerprint = fingerprintOfFilters(filters, search)
      const cursor = query.cursor ? decodeCursor(query.cursor, sort, fingerprint) : undefined
      const page = cursor?.page ?? query.page
      const list = await findList(lists, {
        filters,
        search,
        sort,
        after: cursor,
        offset: cursor ? 0 : (page - 1) * query.per_page,
        limit: query.per_page,
      })
      const nextCursor = list.next && encodeCursor({ sort, filters: fingerprint, page: page + 1, ...list.next })
      return sendPublicJson(
        reply,
        bodyOf(list, page, query.per_page, nextCursor),
        keysOfList(
          filters,
          search,
          list.items.map(({ slug }) => slug),
        ),
      )
    },
  })
}

async function sendNamed(
  reply: FastifyReply,
  lists: LiveIndex,
  query: ListQuery,
  slugs: string[],
): Promise<FastifyReply> {
  const others = ['category', 'collection', 'q', 'sizes', 'colors', 'tags', 'min_price', 'max_price', 'cursor'] as const
  const given = [
    ...others.filter((name) => query[name] !== undefined && query[name] !== ''),
    ...(isFlagSet(query.in_stock) ? ['in_stock'] : []),
    ...(query.sort === 'featured' ? [] : ['sort']),
  ]
  if (given.length > 0) {
    throw bodyRejected(given.map((path) => ({ path, message: 'must not be combined with slugs' })))
  }
  const { page, per_page: perPage } = query
  const list = await findNamedList(lists, slugs, { offset: (page - 1) * perPage, limit: perPage })
  const shown = list.items.map(({ slug }) => slug)
  return sendPublicJson(reply, bodyOf(list, page, perPage), keysOfNamedList(slugs, shown))
}

function bodyOf({ items, total, facets }: FoundList, page: number, perPage: number, nextCursor?: string): Buffer {
  // A cursor is base64url: nothing in it needs to be escaped.
  const cursor = nextCursor === undefined ? '' : `"nextCursor":"${nextCursor}",`
  const end = `],"total":${total},"page":${page},"perPage":${perPage},${cursor}"facets":${facets}}`
  return withItems('{"items":[', items, end)
}

function typedFilters(query: ListQuery): TypedFilters {
  return {
    scope: { category: filled(query.category), collection: filled(query.collection) },
    sizes: query.sizes,
    colors: query.colors,
    tags: query.tags,
    minPrice: query.min_price,
    maxPrice: query.max_price,
    inStock: isFlagSet(query.in_stock),
  }
}
