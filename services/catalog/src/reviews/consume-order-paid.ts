import { consume, type Consumer, type Messaging } from '@storefront/messaging'
import type { Log } from '@storefront/service'
import { OrderPaid } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { recordPayments } from './purchases.queries.ts'

/** Marks the customer's reviews of the ordered products as verified from now on. */
export function consumeOrderPaid(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, OrderPaid, async (tx, events) => {
    await recordPayments(
      tx,
      events.map((event) => event.data.orderId),
    )
  })
}
