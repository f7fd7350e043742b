import { replyTo, type Messaging } from '@storefront/messaging'
import type { ActorVerifier, Log } from '@storefront/service'
import { CheckCartOrdered } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findOrderOfCart } from '../orders/orders.queries.ts'

/** Cart requests this before it returns an open cart, because `order.placed` may not have reached it yet. */
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
