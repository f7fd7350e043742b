import { consume, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { CustomerDeleted } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { deleteCapabilities } from '../access/closed-orders.queries.ts'
import { insertDeletedCustomers, insertFormerCustomers } from './customers.queries.ts'

/**
 * An account is gone. Its orders stay, because ledgers must be kept, and stay its own: they open for no one but the merchant. What
 * a capability opens is decided when it is shown (`isClosed`); deleting those that are there leaves nothing behind.
 */
export function hearCustomerDeleted(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, CustomerDeleted, async (tx, events) => {
    const gone = events.map(({ data, at }) => ({ ...data, at }))
    await insertFormerCustomers(tx, gone)
    await insertDeletedCustomers(tx, gone)
    await deleteCapabilities(
      tx,
      gone.map(({ customerId }) => customerId),
    )
  })
}
