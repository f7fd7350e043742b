import { consume, type Consumer } from '@storefront/chassis'
import { CustomerReclaimed } from '@storefront/contracts'
import { deleteOpenCartsOf } from '../cart/carts.queries.ts'
import type { CartContext } from '../context.ts'

/** Somebody else may have filled the carts that the account had until then. Redemptions of codes stay the account's. */
export function hearCustomerReclaimed(context: Pick<CartContext, 'db' | 'messaging' | 'log'>): Consumer {
  return consume(context, CustomerReclaimed, async (tx, events) => {
    for (const { data, at } of events) await deleteOpenCartsOf(tx, [data.customerId], { createdBefore: at })
  })
}
