import { afterCommit, counter } from '@storefront/chassis'
import type { Tx } from '../database.ts'

const EVENTS = ['placed', 'paid', 'cancelled', 'refunded'] as const

const orders = counter('storefront_orders_total', 'Orders that were placed, paid, cancelled, or given money back for', [
  'event',
])
// From the first scrape on: an increase from nothing is none.
for (const event of EVENTS) orders.inc({ event }, 0)

/** Counts what became of orders when the transaction that writes it has committed. */
export function countOrders(tx: Tx, event: (typeof EVENTS)[number], count = 1): void {
  if (count > 0) afterCommit(tx, () => orders.inc({ event }, count))
}
