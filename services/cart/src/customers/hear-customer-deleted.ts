import { consume, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { CustomerDeleted } from '@storefront/contracts'
import { deleteOpenCartsOf } from '../cart/carts.queries.ts'
import type { Database } from '../database.ts'

/** An account is gone, and with it what the customer was about to buy. Carts that became orders expire as they would. */
export function hearCustomerDeleted(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, CustomerDeleted, async (tx, events) => {
    await deleteOpenCartsOf(
      tx,
      events.map((event) => event.data.customerId),
    )
  })
}
