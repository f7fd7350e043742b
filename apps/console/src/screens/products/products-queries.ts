import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { pageOf, type Filters } from '../../parts/filters.ts'
import { shop } from '../../shop.ts'

export type AdminProduct = NonNullable<Awaited<ReturnType<typeof requestProduct>>['data']>

export const SORTS = ['newest', 'oldest', 'title', 'price-asc', 'price-desc'] as const
const PUBLISHED = ['true', 'false'] as const

/** @returns the one of the known values that the address bar has; undefined for anything else */
function oneOf<Value extends string>(known: readonly Value[], value: string | undefined): Value | undefined {
  return known.find((each) => each === value)
}

/** The part of the address bar that decides which products are found. */
export function filterQueryOf({ q, published, category }: Filters) {
  const state = oneOf(PUBLISHED, published)
  return {
    ...(q !== undefined && { q }),
    ...(state !== undefined && { published: state }),
    ...(category !== undefined && { category }),
  }
}

/** The part of the address bar that the shop's list takes. */
function listQueryOf(filters: Filters) {
  const order = oneOf(SORTS, filters['sort'])
  return {
    ...filterQueryOf(filters),
    ...(order !== undefined && { sort: order }),
    page: pageOf(filters),
  }
}

export const PRODUCTS_KEY = 'products'

export function productsQuery(filters: Filters) {
  const query = listQueryOf(filters)
  return queryOptions({
    queryKey: [PRODUCTS_KEY, 'list', query],
    queryFn: ({ signal }) => shop.get('/admin/products', { params: { query }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** A product as it was read, with the tag that says which version it is. */
export interface ReadProduct {
  product: AdminProduct
  etag: string
}

function requestProduct(id: string, signal?: AbortSignal) {
  return shop.http.GET('/admin/products/{id}', { params: { path: { id } }, ...(signal && { signal }) })
}

export async function readProduct(id: string, signal?: AbortSignal): Promise<ReadProduct> {
  return readOf(await requestProduct(id, signal))
}

/** A product with its tag from a response. */
export function readOf({ data, response }: { data?: AdminProduct; response: Response }): ReadProduct {
  if (!data) throw new Error('The shop sent no product.')
  return { product: data, etag: response.headers.get('etag') ?? '' }
}

export function productQuery(id: string) {
  return queryOptions({ queryKey: [PRODUCTS_KEY, 'one', id], queryFn: ({ signal }) => readProduct(id, signal) })
}

const RARELY_CHANGES_MS = 5 * 60_000

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: () => shop.get('/admin/categories'),
  staleTime: RARELY_CHANGES_MS,
})

export const sizeChartsQuery = queryOptions({
  queryKey: ['size-charts'],
  queryFn: () => shop.get('/admin/size-charts'),
  staleTime: RARELY_CHANGES_MS,
})

/** Tags that products have already. */
export const tagsQuery = queryOptions({
  queryKey: [PRODUCTS_KEY, 'tags'],
  queryFn: async () => (await shop.get('/products', { params: { query: { per_page: 1 } } })).facets.tags,
  staleTime: RARELY_CHANGES_MS,
})
