import { consume, type Consumer, type Messaging } from '@storefront/messaging'
import type { Log } from '@storefront/service'
import { CustomerUnverified } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { withdrawVerifications } from './customers.queries.ts'

/**
 * The last verification of an address is revoked: guest orders with it no longer belong to the customer, including
 * older ones.
 */
export function consumeCustomerUnverified(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, CustomerUnverified, async (tx, events) => {
    for (const { data, at } of events) await withdrawVerifications(tx, data.customerId, at)
  })
}
