import { consume, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { OrderPlaced } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { markUsed } from '../discounts/uses.queries.ts'
import { convertCarts } from './carts.queries.ts'

/** A cart that became an order is closed, and the use of its code is used: the client makes itself a new one. */
export function hearOrderPlaced(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, OrderPlaced, async (tx, events) => {
    await convertCarts(
      tx,
      events.map((event) => event.data.cartId),
    )
    await markUsed(
      tx,
      events.flatMap((event) => event.data.discountClaim ?? []),
    )
  })
}
