import { consume, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { CustomerDeleted } from '@storefront/contracts'
import { deleteOpenCartsOf } from '../cart/carts.queries.ts'
import type { Database } from '../database.ts'
import { disownUses } from '../discounts/uses.queries.ts'

/**
 * An account is gone, and with it what the customer was about to buy, and whose the uses of discount codes were. Carts that
 * became orders expire as they would.
 */
export function hearCustomerDeleted(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, CustomerDeleted, async (tx, events) => {
    const customerIds = events.map((event) => event.data.customerId)
    await deleteOpenCartsOf(tx, customerIds)
    await disownUses(tx, customerIds)
  })
}
