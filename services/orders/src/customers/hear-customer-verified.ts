import { consume, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { CustomerVerified } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { insertVerifications, lockCustomers, settleFormerCustomers } from './customers.queries.ts'

/** Somebody showed that an address is theirs: guest orders with it are theirs, too, those to come included. */
export function hearCustomerVerified(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, CustomerVerified, async (tx, events) => {
    const customerIds = events.map((event) => event.data.customerId)
    await lockCustomers(tx, customerIds)
    await insertVerifications(
      tx,
      events.map(({ data, at }) => ({ ...data, at })),
    )
    // The account may be gone by now, and the news of that may have come first.
    await settleFormerCustomers(tx, customerIds)
  })
}
