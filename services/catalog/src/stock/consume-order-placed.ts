import { consume, type Consumer } from '@storefront/messaging'
import { OrderPlaced } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { recordPurchases } from '../reviews/purchases.queries.ts'
import { sellHolds } from './end-reservations.ts'

/**
 * Turns the reservation of a placed order into a sale. The available units do not change, and neither does the price
 * projection. An order without a reservation, because its payment arrived for sold-out goods, sells nothing.
 */
export function consumeOrderPlaced(context: CatalogContext): Consumer {
  return consume(context, OrderPlaced, async (tx, events) => {
    const placedAt = new Map(
      events.flatMap(({ data: { reservation, order } }): [string, Date][] =>
        reservation ? [[reservation.claim, new Date(order.placedAt)]] : [],
      ),
    )
    await sellHolds(tx, [...placedAt.keys()], context.clock.now(), placedAt)
    const placed = events.map((event) => event.data)
    await recordPurchases(tx, placed)
  })
}
