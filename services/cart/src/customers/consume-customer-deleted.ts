import { consume, type Consumer } from '@storefront/messaging'
import { CustomerDeleted } from '@storefront/contracts'
import { deleteOpenCartsOf } from '../cart/carts.queries.ts'
import type { CartContext } from '../context.ts'
import { anonymizeRedemptions } from '../discounts/redemptions.queries.ts'

/**
 * Deletes the open carts of a deleted account and removes its id from discount redemptions. Carts that became orders
 * expire as usual.
 */
export function consumeCustomerDeleted(context: CartContext): Consumer {
  return consume(context, CustomerDeleted, async (tx, events) => {
    const customerIds = events.map((event) => event.data.customerId)
    await deleteOpenCartsOf(tx, customerIds)
    await anonymizeRedemptions(tx, customerIds)
  })
}
