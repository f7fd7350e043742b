import type { ResponseOf } from '@storefront/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { shop } from '../../shop.ts'

export const COLLECTIONS = ['collections'] as const
/** The most that one request may name. */
export const NAMED_AT_ONCE = 100

/** Without its products, of which there may be thousands. */
export type ListedCollection = ResponseOf<'GET /admin/collections'>['items'][number]
export type Collection = ResponseOf<'GET /admin/collections/{slug}'>
export type ListedProduct = ResponseOf<'GET /admin/products'>['items'][number]

export const collectionsQuery = queryOptions({
  queryKey: [...COLLECTIONS, 'list'],
  queryFn: () => shop.get('/admin/collections', { params: { query: { products: '0' } } }),
})

export const collectionQuery = (slug: string) =>
  queryOptions({
    queryKey: [...COLLECTIONS, 'one', slug],
    queryFn: () => shop.get('/admin/collections/{slug}', { params: { path: { slug } } }),
  })

/** Some products by their slugs, to show them by their titles. Their order does not matter. */
export const namedProductsQuery = (slugs: readonly string[]) => {
  const sorted = slugs.toSorted()
  return queryOptions({
    queryKey: ['products', 'named', sorted],
    enabled: sorted.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(sorted.length / NAMED_AT_ONCE) }, (_each, index) =>
        sorted.slice(index * NAMED_AT_ONCE, (index + 1) * NAMED_AT_ONCE),
      )
      const replies = await Promise.all(
        parts.map((part) =>
          shop.get('/admin/products', {
            params: { query: { slugs: part.join(','), per_page: NAMED_AT_ONCE } },
            signal,
          }),
        ),
      )
      return replies.flatMap(({ items }) => items)
    },
  })
}
