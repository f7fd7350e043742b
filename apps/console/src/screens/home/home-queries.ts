import type { ResponseOf } from '@storefront/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { shop } from '../../shop.ts'

export type Summary = ResponseOf<'GET /admin/summary'>

/** Figures of paid orders change by the minute, and people leave this screen open. */
const REFRESH_MS = 60_000
const ATTENTION_MS = 30_000

/** @param query without a currency, figures are in that of the shop */
export const summaryQuery = (query: { from: string; to: string; currency?: string }) =>
  queryOptions({
    queryKey: ['summary', query],
    queryFn: () => shop.get('/admin/summary', { params: { query } }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })

export const attentionQuery = queryOptions({
  queryKey: ['attention'],
  queryFn: () => shop.get('/admin/attention'),
  refetchInterval: ATTENTION_MS,
})

/** The shop counts no further. */
export const LOW_STOCK_COUNTED = 10_000

export const lowStockQuery = queryOptions({
  queryKey: ['low-stock', 'count'],
  queryFn: () => shop.get('/admin/products/low-stock', { params: { query: { per_page: 1 } } }),
  refetchInterval: ATTENTION_MS,
})

export const failedWebhooksQuery = queryOptions({
  queryKey: ['webhooks', 'failed', 'count'],
  queryFn: () =>
    shop.get('/admin/webhooks/deliveries', { params: { query: { status: 'dead', replayable: 'true', per_page: 1 } } }),
  refetchInterval: ATTENTION_MS,
})

export const failedMailsQuery = queryOptions({
  queryKey: ['notifications', 'failed', 'count'],
  queryFn: () =>
    shop.get('/admin/notifications', { params: { query: { status: 'failed', resendable: 'true', per_page: 1 } } }),
  refetchInterval: ATTENTION_MS,
})
