import { consume, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { CustomerUnverified } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { withdrawVerifications } from './customers.queries.ts'

/** The last proof of an address does not count any more: guest orders with it are not the customer's, older ones included. */
export function hearCustomerUnverified(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, CustomerUnverified, async (tx, events) => {
    for (const { data, at } of events) await withdrawVerifications(tx, data.customerId, at)
  })
}
