import { transaction } from '@storefront/chassis'
import { deleteCapabilities } from '../access/closed-orders.queries.ts'
import type { Database } from '../database.ts'
import { forgetCustomers, keepGuestOrders, lockLongFormerCustomers } from './customers.queries.ts'

const BATCH = 100

/**
 * Closes the books on accounts that were deleted before this moment: whose their guest orders are is written down, and
 * their addresses are forgotten. Not sooner: what was decided from half of the news could not be put right by the rest.
 */
export async function closeFormerAccounts(db: Database, before: Date): Promise<void> {
  let closed: number
  do {
    closed = await transaction(db, async (tx) => {
      const customerIds = await lockLongFormerCustomers(tx, before, BATCH)
      await keepGuestOrders(tx, customerIds)
      await deleteCapabilities(tx, customerIds)
      await forgetCustomers(tx, customerIds)
      return customerIds.length
    })
  } while (closed === BATCH)
}
