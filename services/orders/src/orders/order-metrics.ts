import { afterCommit } from '@storefront/postgres'
import { counter } from '@storefront/service'
import type { Tx } from '../database.ts'

const EVENTS = ['placed', 'paid', 'cancelled', 'refunded'] as const

const orders = counter('storefront_orders_total', 'Orders placed, paid, canceled or refunded', ['event'])
// Present from the first scrape on: Prometheus sees no increase when a series appears.
for (const event of EVENTS) orders.inc({ event }, 0)

/** Counts the changes of an order when the transaction that writes them has committed. */
export function countOrderEvent(tx: Tx, event: (typeof EVENTS)[number], count = 1): void {
  if (count > 0) afterCommit(tx, () => orders.inc({ event }, count))
}
