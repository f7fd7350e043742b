import { queryOptions } from '@tanstack/react-query'
import { shop } from '../../shop.ts'

/** People leave this screen open. */
const ATTENTION_MS = 30_000

export const lowStockQuery = queryOptions({
  queryKey: ['low-stock', 'count'],
  queryFn: () => shop.get('/admin/products/low-stock', { params: { query: { per_page: 1 } } }),
  refetchInterval: ATTENTION_MS,
})

export const failedWebhooksQuery = queryOptions({
  queryKey: ['webhooks', 'failed', 'count'],
  queryFn: () => shop.get('/admin/webhooks/deliveries', { params: { query: { status: 'dead', per_page: 1 } } }),
  refetchInterval: ATTENTION_MS,
})

export const failedMailsQuery = queryOptions({
  queryKey: ['notifications', 'failed', 'count'],
  queryFn: () => shop.get('/admin/notifications', { params: { query: { status: 'failed', per_page: 1 } } }),
  refetchInterval: ATTENTION_MS,
})
