import { consume, type Consumer } from '@storefront/messaging'
import { OrderPaid } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { recordPayments } from './purchases.queries.ts'

/**
 * Records that customers' orders were paid, which verifies reviews that are written or published from now on. An order
 * of a guest verifies none.
 */
export function consumeOrderPaid(context: CatalogContext): Consumer {
  return consume(context, OrderPaid, async (tx, events) => {
    // Events of earlier versions, which carry no order, do not name the customer either.
    const orders = events
      .map((event) => event.data)
      .filter(({ customerId, order }) => customerId !== undefined || order === undefined)
    await recordPayments(
      tx,
      orders.map(({ orderId }) => orderId),
    )
  })
}
