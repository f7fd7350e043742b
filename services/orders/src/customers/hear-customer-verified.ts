import { consume, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { CustomerVerified } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { insertVerifications } from './customers.queries.ts'

/**
 * Somebody showed that an address is theirs: guest orders with it are theirs, too, those to come included, and those with
 * the address they had before are not any more.
 */
export function hearCustomerVerified(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, CustomerVerified, async (tx, events) => {
    await insertVerifications(
      tx,
      events.map(({ data, at }) => ({ ...data, at })),
    )
  })
}
