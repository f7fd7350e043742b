import { pageForMessage, replyTo } from '@storefront/messaging'
import { ReadOrdersPersonalData } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { buyersDraft, isDraftId } from '../drafts/draft.ts'
import { findDraftsOfCustomer } from '../drafts/drafts.queries.ts'
import { findOrdersAfter } from '../orders/customer-orders.queries.ts'
import { publicOrder } from '../orders/order.ts'

const BATCH = 50

/**
 * A customer's orders, and then the draft orders for verified addresses, as the customer sees them, for the export of
 * all personal data.
 */
export function replyToReadPersonalData(context: OrdersContext): void {
  replyTo(context, ReadOrdersPersonalData, async ({ customerId, after = '' }) => {
    const { db } = context
    const isAfterOrders = isDraftId(after)
    const orders = isAfterOrders ? [] : await findOrdersAfter(db, customerId, { after, limit: BATCH })
    const left = BATCH - orders.length
    const place = { after: isAfterOrders ? after : '', limit: left }
    const drafts = left === 0 ? [] : await findDraftsOfCustomer(db, customerId, place)
    const rows = [
      ...orders.map((order) => ({ id: order.id, kind: 'order', record: { ...publicOrder(order) } })),
      ...drafts.map((draft) => ({ id: draft.id, kind: 'draft-order', record: { ...buyersDraft(draft) } })),
    ]
    return pageForMessage(rows, {
      limit: BATCH,
      recordOf: ({ kind, record }) => ({ kind, record }),
      nextOf: ({ id }) => id,
    })
  })
}
