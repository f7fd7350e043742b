import { consume, type Clock, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { OrderPlaced } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { recordPurchases } from '../reviews/purchases.queries.ts'
import { sellHolds } from './end-reservations.ts'

/**
 * An order was placed: its reservation becomes a sale. What can be bought does not change by that, so no board. An order
 * without a reservation, because its money came for goods that were gone, sells nothing.
 */
export function hearOrderPlaced(context: { db: Database; messaging: Messaging; log: Log; clock: Clock }): Consumer {
  return consume(context, OrderPlaced, async (tx, events) => {
    const placedAt = new Map(
      events.flatMap(({ data: { reservation, order } }): [string, Date][] =>
        reservation ? [[reservation.claim, new Date(order.placedAt)]] : [],
      ),
    )
    await sellHolds(tx, [...placedAt.keys()], context.clock.now(), placedAt)
    await recordPurchases(
      tx,
      events.map((event) => event.data),
    )
  })
}
