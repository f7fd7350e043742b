import { replyTo, type ActorVerifier, type Log, type Messaging } from '@storefront/chassis'
import { CheckCartOrdered } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findOrderOfCart } from '../orders/orders.queries.ts'

/** The cart service is about to return a cart, and the event that it was ordered may still be on its way. */
export function replyToCheckCartOrdered(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  replyTo(context, CheckCartOrdered, async ({ cartId }) => ({
    ordered: (await findOrderOfCart(context.db, cartId)) !== undefined,
  }))
}
