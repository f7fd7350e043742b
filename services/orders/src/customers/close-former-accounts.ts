import { transaction } from '@storefront/postgres'
import { deleteCapabilities, deleteGiftMessages } from '../access/closed-orders.queries.ts'
import type { Database } from '../database.ts'
import { deleteDraftsOfCustomers } from '../drafts/drafts.queries.ts'
import { deleteCustomers, keepGuestOrders, lockLongFormerCustomers } from './customers.queries.ts'

const BATCH = 100

/**
 * Finishes accounts that were deleted before this moment: the owner of their guest orders is recorded for good, and
 * their addresses are deleted. This must not happen sooner, because a late event could not correct a decision that was
 * made without it.
 * @returns 0: it finishes all of them, unless the service stops
 */
export async function closeFormerAccounts(db: Database, before: Date, isStopping = () => false): Promise<number> {
  let closed: number
  do {
    closed = await transaction(db, async (tx) => {
      const customerIds = await lockLongFormerCustomers(tx, before, BATCH)
      await keepGuestOrders(tx, customerIds)
      // Those for an address whose verification arrived after the deletion.
      await deleteDraftsOfCustomers(tx, customerIds)
      await deleteCapabilities(tx, customerIds)
      await deleteGiftMessages(tx, customerIds)
      await deleteCustomers(tx, customerIds)
      return customerIds.length
    })
  } while (closed === BATCH && !isStopping())
  return 0
}
