import { consume, type Consumer } from '@storefront/messaging'
import { CustomerDeleted } from '@storefront/contracts'
import { deleteDetailsOf } from '../buyers/buyers.queries.ts'
import { lockBuyers, queueOrdersOf } from '../buyers/fold-buyers.queries.ts'
import type { OrdersContext } from '../context.ts'
import { deleteDraftsOfCustomers } from '../drafts/drafts.queries.ts'
import { deleteCapabilities, deleteGiftMessages } from '../access/closed-orders.queries.ts'
import { insertDeletedCustomers, insertFormerCustomers } from './customers.queries.ts'

/**
 * Handles a deleted account. Its orders stay, because accounting records must be kept, and they open only for the
 * merchant. Access by a capability is decided when it is shown (`isClosed`); the stored ones are deleted as well.
 */
export function consumeCustomerDeleted(context: OrdersContext): Consumer {
  return consume(context, CustomerDeleted, async (tx, events) => {
    const gone = events.map(({ data, at }) => ({ ...data, at }))
    const customerIds = gone.map(({ customerId }) => customerId)
    // Before the orders, like the counting and the erasure of buyers: in another sequence the two could deadlock.
    await lockBuyers(tx)
    await insertFormerCustomers(tx, gone)
    await insertDeletedCustomers(tx, gone)
    await deleteDraftsOfCustomers(tx, customerIds)
    await deleteCapabilities(tx, customerIds)
    await deleteGiftMessages(tx, customerIds)
    await deleteDetailsOf(tx, customerIds)
    await queueOrdersOf(tx, customerIds)
  })
}
