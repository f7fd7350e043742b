import { consume, type Consumer } from '@storefront/messaging'
import { CustomerDeleted, readEmailAddress } from '@storefront/contracts'
import { lockBuyers, queueOrdersOf } from '../buyers/apply-buyer-changes.queries.ts'
import { assignPaymentSessions, deleteDetailsOf, findUncomparedSessions } from '../buyers/buyers.queries.ts'
import type { OrdersContext } from '../context.ts'
import type { Tx } from '../database.ts'
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
    // Before the drafts, like the payment of a draft: in another sequence the two could deadlock.
    await assignGuestPages(tx, gone)
    await deleteDraftsOfCustomers(tx, customerIds)
    await deleteCapabilities(tx, customerIds)
    await deleteGiftMessages(tx, customerIds)
    await deleteDetailsOf(tx, customerIds)
    await queueOrdersOf(tx, customerIds)
  })
}

/**
 * Assigns unpaid payment pages, which the person opened as a guest with the verified address of the account, to the
 * account: they are treated like its own. Pages that were opened after the deletion belong to another person.
 */
async function assignGuestPages(
  tx: Tx,
  gone: readonly { customerId: string; email?: string | undefined; at: string }[],
): Promise<void> {
  const verified = gone.flatMap(({ customerId, email, at }) =>
    email === undefined ? [] : [{ customerId, canonical: email, begunUntil: new Date(at) }],
  )
  if (verified.length === 0) return
  const uncompared = await findUncomparedSessions(tx)
  for (const { customerId, canonical, begunUntil } of verified) {
    const own = uncompared.filter(
      ({ email, createdAt }) => createdAt <= begunUntil && readEmailAddress(email)?.canonical === canonical,
    )
    const sessionIds = own.map(({ id }) => id)
    await assignPaymentSessions(tx, { canonical, orderIds: [], sessionIds, begunUntil }, customerId)
  }
}
