import type { ResponseOf } from '@storefront/client'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Filters } from '../../parts/filters.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'

export type Buyer = ResponseOf<'GET /admin/buyers'>['items'][number]
export type BuyerDetails = ResponseOf<'GET /admin/buyers/{id}'>
export type BuyerNote = BuyerDetails['notes'][number]

const PER_PAGE = 25
const BUYERS = ['buyers'] as const

export const BUYER_SORTS = ['latest', 'orders', 'revenue'] as const
export type BuyerSort = (typeof BUYER_SORTS)[number]

export const buyerSortOf = ({ sort }: Filters): BuyerSort => BUYER_SORTS.find((one) => one === sort) ?? 'latest'

export const buyersQuery = (filters: Filters) => {
  const { q, tag, who } = filters
  const query = {
    sort: buyerSortOf(filters),
    per_page: PER_PAGE,
    ...(q !== undefined && { q }),
    ...(tag !== undefined && { tag }),
    ...(who === 'guests' && { guests: 'true' as const }),
  }
  return infiniteQueryOptions({
    queryKey: [...BUYERS, 'list', query],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam: cursor, signal }) =>
      shop.get('/admin/buyers', { params: { query: { ...query, ...(cursor !== '' && { cursor }) } }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

export const buyerQuery = (id: string) =>
  queryOptions({
    queryKey: [...BUYERS, 'one', id],
    queryFn: ({ signal }) => shop.get('/admin/buyers/{id}', { params: { path: { id } }, signal }),
  })

/** What an account has ordered: one buyer for each address that it ordered with. */
export const buyersOfAccountQuery = (customer: string) =>
  queryOptions({
    queryKey: [...BUYERS, 'of-account', customer],
    queryFn: async ({ signal }) =>
      (await shop.get('/admin/buyers', { params: { query: { customer, per_page: PER_PAGE } }, signal })).items,
  })

/** Reads again what shows this buyer. */
export function refreshBuyers(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: BUYERS })
}
