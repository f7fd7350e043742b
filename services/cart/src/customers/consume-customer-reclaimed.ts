import { consume, type Consumer } from '@storefront/messaging'
import { CustomerReclaimed } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { deleteOpenCartsOf } from './customer-carts.queries.ts'

/**
 * Deletes the open carts that the account had before it was reclaimed: another person may have filled them. A cart that
 * its owner filled as a guest and claimed later stays. Discount redemptions stay with the account.
 */
export function consumeCustomerReclaimed(context: CartContext): Consumer {
  return consume(context, CustomerReclaimed, async (tx, events) => {
    for (const { data, at } of events) await deleteOpenCartsOf(tx, [data.customerId], { ownedBefore: at })
  })
}
