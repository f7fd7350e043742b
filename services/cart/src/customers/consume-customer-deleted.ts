import { consume, type Consumer, type Messaging } from '@storefront/messaging'
import type { Log } from '@storefront/service'
import { CustomerDeleted } from '@storefront/contracts'
import { deleteOpenCartsOf } from '../cart/carts.queries.ts'
import type { Database } from '../database.ts'
import { anonymizeRedemptions } from '../discounts/redemptions.queries.ts'

/**
 * Deletes the open carts of a deleted account and removes its id from discount redemptions. Carts that became orders
 * expire as usual.
 */
export function consumeCustomerDeleted(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, CustomerDeleted, async (tx, events) => {
    const customerIds = events.map((event) => event.data.customerId)
    await deleteOpenCartsOf(tx, customerIds)
    await anonymizeRedemptions(tx, customerIds)
  })
}
