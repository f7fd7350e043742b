import { consume, type Consumer } from '@storefront/messaging'
import { CustomerDeleted } from '@storefront/contracts'
import { lockCartsOf } from '../cart/carts.queries.ts'
import type { CartContext } from '../context.ts'
import { anonymizeRedemptions } from '../discounts/redemptions.queries.ts'
import { anonymizeConvertedCarts, deleteOpenCartsOf } from './customer-carts.queries.ts'

/**
 * Deletes the open carts of a deleted account, and removes its id from discount redemptions and from carts that became
 * orders, which expire as usual.
 */
export function consumeCustomerDeleted(context: CartContext): Consumer {
  return consume(context, CustomerDeleted, async (tx, events) => {
    const customerIds = events.map((event) => event.data.customerId).toSorted()
    // A concurrent transaction that consumes `order.placed` may be moving remaining lines into a new cart.
    for (const customerId of customerIds) await lockCartsOf(tx, customerId)
    await deleteOpenCartsOf(tx, customerIds)
    await anonymizeConvertedCarts(tx, customerIds)
    await anonymizeRedemptions(tx, customerIds)
  })
}
