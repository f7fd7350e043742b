import { consume, type Consumer } from '@storefront/messaging'
import { OrderPaid } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { recordPayments } from './purchases.queries.ts'

/** Records that orders were paid, which verifies reviews that are written or published from now on. */
export function consumeOrderPaid(context: CatalogContext): Consumer {
  return consume(context, OrderPaid, async (tx, events) => {
    const orderIds = events.map((event) => event.data.orderId)
    await recordPayments(tx, orderIds)
  })
}
