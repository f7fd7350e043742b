import { consume, type Consumer, type Messaging } from '@storefront/messaging'
import type { Log } from '@storefront/service'
import { CustomerVerified } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { insertVerifications } from './customers.queries.ts'

/**
 * A customer verified an address: guest orders with it, also future ones, belong to the customer, and those with the
 * previous address no longer do.
 */
export function consumeCustomerVerified(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, CustomerVerified, async (tx, events) => {
    await insertVerifications(
      tx,
      events.map(({ data, at }) => ({ ...data, at })),
    )
  })
}
