import { consume, type Clock, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { OrderPlaced } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { recordPurchases } from '../reviews/purchases.queries.ts'
import { sellHolds } from './end-reservations.ts'

/** An order was placed: its reservation becomes a sale. What can be bought does not change by that, so no board. */
export function hearOrderPlaced(context: { db: Database; messaging: Messaging; log: Log; clock: Clock }): Consumer {
  return consume(context, OrderPlaced, async (tx, events) => {
    await sellHolds(
      tx,
      events.flatMap((event) => event.data.reservation?.claim ?? []),
      context.clock.now(),
    )
    await recordPurchases(
      tx,
      events.map((event) => event.data),
    )
  })
}
