import type { paths, ResponseOf } from '@storefront/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Filters } from '../../parts/filters.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { listQueryOf } from './order-filters.ts'
import { readAgainAfter } from './read-again-after.ts'
import { frequentTags } from './tags.ts'

export type OrderList = ResponseOf<'GET /admin/orders'>
export type Order = ResponseOf<'GET /admin/orders/{id}'>
export type OrderLine = Order['lines'][number]
export type Refund = Order['refunds'][number]
export type TimelineStep = ResponseOf<'GET /admin/orders/{id}/timeline'>['items'][number]
export type Mail = ResponseOf<'GET /admin/notifications'>['items'][number]
export type OrderChange = paths['/admin/orders/{id}']['patch']['requestBody']['content']['application/json']

const MAILS_SHOWN = 50
/** Orders whose tags are suggested: as many as the shop lists at once. */
const NEWEST = 100

export const ordersQuery = (filters: Filters) =>
  queryOptions({
    queryKey: ['orders', 'list', filters],
    queryFn: ({ signal }) => shop.get('/admin/orders', { params: { query: listQueryOf(filters) }, signal }),
    placeholderData: keepPreviousData,
  })

/** @param id the order's id or number */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: ({ signal }) => shop.get('/admin/orders/{id}', { params: { path: { id } }, signal }),
    placeholderData: () => orderOfLists(id),
    // A provider confirms a refund moments later.
    refetchInterval: ({ state: { data } }) =>
      readAgainAfter((data?.refunds ?? []).filter(isPending).map(({ createdAt }) => createdAt)),
  })

export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'timeline', id],
    queryFn: ({ signal }) => shop.get('/admin/orders/{id}/timeline', { params: { path: { id } }, signal }),
  })

export const mailsQuery = (number: string) =>
  queryOptions({
    queryKey: ['orders', 'mails', number],
    queryFn: ({ signal }) =>
      shop.get('/admin/notifications', { params: { query: { order: number, per_page: MAILS_SHOWN } }, signal }),
    refetchInterval: ({ state: { data } }) => readAgainAfter((data?.items ?? []).filter(isWaiting).map(({ at }) => at)),
  })

/** Tags of the newest orders, the most frequent first: suggestions for the tags of another order. */
export const orderTagsQuery = queryOptions({
  queryKey: ['orders', 'tags'],
  queryFn: async ({ signal }) =>
    frequentTags(
      (await shop.get('/admin/orders', { params: { query: { sort: 'newest', per_page: NEWEST } }, signal })).items,
    ),
  staleTime: 60_000,
})

/** Shows an order as the shop returned it, and reads again what follows from its change. */
export function showChanged(order: Order): void {
  for (const id of [order.id, order.number]) queryClient.setQueryData(orderQuery(id).queryKey, order)
  void queryClient.invalidateQueries({ queryKey: ['orders'] })
}

/** A list has whole orders: the page of one need not wait. */
function orderOfLists(id: string): Order | undefined {
  return queryClient
    .getQueriesData<OrderList>({ queryKey: ['orders', 'list'] })
    .flatMap(([, list]) => list?.items ?? [])
    .find((order) => order.id === id)
}

function isPending({ status }: Refund): boolean {
  return status === 'pending'
}

function isWaiting({ status }: Mail): boolean {
  return status === 'queued' || status === 'connecting' || status === 'handed-over'
}
