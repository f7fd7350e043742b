import { consume, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { CustomerDeleted } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { insertFormerCustomers } from './customers.queries.ts'

/** An account is gone. Its orders stay, because books must be kept, and stay its own: nobody else gets to see them. */
export function hearCustomerDeleted(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, CustomerDeleted, async (tx, events) => {
    await insertFormerCustomers(
      tx,
      events.map(({ data, at }) => ({ ...data, at })),
    )
  })
}
