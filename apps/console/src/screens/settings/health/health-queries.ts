import type { ResponseOf } from '@storefront/client'
import { queryOptions } from '@tanstack/react-query'
import { shop } from '../../../shop.ts'

export type Report = ResponseOf<'GET /admin/reconciliation'>
export type Finding = Report['items'][number]

export const healthQuery = queryOptions({
  queryKey: ['reconciliation'],
  queryFn: () => shop.get('/admin/reconciliation'),
})

/** The kinds that this console explains; a later version of the shop may have others. */
export const KINDS = [
  'payment_without_order',
  'payment_beside_order',
  'payment_not_noted',
  'paid_without_money',
  'refunds_do_not_add_up',
  'demo_payment_missing',
  'webhook_stuck',
  'refund_stuck',
  'session_overdue',
  'session_unclear',
  'event_not_sent',
  'order_not_sold_yet',
  'order_without_goods',
  'goods_without_order',
  'ledger',
  'discounts',
  'addresses',
  'payment_found',
  'webhook_retried',
] as const
