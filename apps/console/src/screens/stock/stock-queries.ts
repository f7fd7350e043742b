import type { ResponseOf } from '@storefront/client'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { shop } from '../../shop.ts'

const PER_PAGE = 25
export const DEFAULT_THRESHOLD = 5
export const MAX_THRESHOLD = 1000

export interface StockRow {
  variantId: string
  sku: string
  options: Record<string, string>
  product: { id: string; title: string; published: boolean }
  /** Units that can be bought. */
  available: number
  /** Units held by checkouts; undefined where the shop does not list them. */
  reserved: number | undefined
}

export interface StockPage {
  rows: StockRow[]
  total: number
  page: number
  perPage: number
}

export type Published = 'true' | 'false' | undefined

/** All lists of stock: a saved quantity shows in each of them. */
export const STOCK_LISTS = ['stock', 'list'] as const

export const lowStockQuery = (query: { threshold: number; published: Published; page: number }) =>
  queryOptions({
    queryKey: [...STOCK_LISTS, 'low', query],
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<StockPage> => {
      const { published, ...rest } = query
      const { items, ...place } = await shop.get('/admin/products/low-stock', {
        params: { query: { ...rest, per_page: PER_PAGE, ...(published && { published }) } },
      })
      return { ...place, rows: items.map(lowStockRow) }
    },
  })

/** Products, each with its variants: pages and the total count products. */
export const allStockQuery = (query: { q: string; published: Published; page: number }) =>
  queryOptions({
    queryKey: [...STOCK_LISTS, 'all', query],
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<StockPage> => {
      const { published, ...rest } = query
      const { items, ...place } = await shop.get('/admin/products', {
        params: { query: { ...rest, sort: 'title', per_page: PER_PAGE, ...(published && { published }) } },
      })
      return { ...place, rows: items.flatMap(rowsOfProduct) }
    },
  })

export type Movement = ResponseOf<'GET /admin/variants/{id}/movements'>['items'][number]

export const movementsKey = (variantId: string) => ['stock', 'movements', variantId] as const

export const movementsQuery = (variantId: string) =>
  infiniteQueryOptions({
    queryKey: movementsKey(variantId),
    initialPageParam: '',
    queryFn: ({ pageParam: cursor }) =>
      shop.get('/admin/variants/{id}/movements', {
        params: { path: { id: variantId }, query: { per_page: PER_PAGE, ...(cursor !== '' && { cursor }) } },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

type LowStockVariant = ResponseOf<'GET /admin/products/low-stock'>['items'][number]
type AdminProduct = ResponseOf<'GET /admin/products'>['items'][number]

function lowStockRow({ id, sku, options, product, inventory, reserved }: LowStockVariant): StockRow {
  return { variantId: id, sku, options, product, available: inventory, reserved }
}

function rowsOfProduct({ variants, ...product }: AdminProduct): StockRow[] {
  const { id, title, published } = product
  return variants.map((variant) => ({
    variantId: variant.id,
    sku: variant.sku,
    options: variant.options,
    product: { id, title, published },
    available: variant.inventory,
    reserved: undefined,
  }))
}
