import type { ResponseOf } from '@storefront/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { pageOf, type Filters } from '../../../parts/filters.ts'
import { isDay, startOfDay } from '../../../parts/local-time.ts'
import { queryClient } from '../../../query-client.ts'
import { shop } from '../../../shop.ts'

export type Endpoint = ResponseOf<'GET /admin/webhooks'>['items'][number]
export type Delivery = ResponseOf<'GET /admin/webhooks/deliveries'>['items'][number]
export type WholeDelivery = ResponseOf<'GET /admin/webhooks/deliveries/{id}'>
export type DeliveryStatus = Delivery['status']

/** The shop's own endpoint: its address is changed, and it is deleted, in the configuration. */
export const STOREFRONT_ID = 'whe_storefront'

const DELIVERIES_PER_PAGE = 25
/** Deliveries change their status while a person looks at the list. */
const REFRESH_MS = 10_000

export const endpointsQuery = queryOptions({
  queryKey: ['webhooks', 'endpoints'],
  queryFn: () => shop.get('/admin/webhooks'),
})

export const STATUSES: readonly DeliveryStatus[] = ['queued', 'sending', 'waiting', 'delivered', 'dead', 'superseded']

export const deliveriesQuery = (filters: Filters) => {
  const { endpoint, type, status, from, to } = filters
  const known = STATUSES.find((one) => one === status)
  const query = {
    ...(endpoint !== undefined && { endpoint }),
    ...(type !== undefined && { type }),
    ...(known && { status: known }),
    ...(isDay(from) && { since: startOfDay(from) }),
    ...(isDay(to) && { until: startOfDay(to, 1) }),
    page: pageOf(filters),
    per_page: DELIVERIES_PER_PAGE,
  }
  return queryOptions({
    queryKey: ['webhooks', 'deliveries', query],
    queryFn: () => shop.get('/admin/webhooks/deliveries', { params: { query } }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', id],
    queryFn: () => shop.get('/admin/webhooks/deliveries/{id}', { params: { path: { id } } }),
  })

export function refreshWebhooks(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['webhooks'] })
}
