import { replyTo, type Messaging } from '@storefront/messaging'
import { messagePage } from '@storefront/http'
import type { ActorVerifier, Log } from '@storefront/service'
import { ReadOrdersPersonalData } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { publicOrder } from '../orders/order.ts'
import { findOrdersAfter } from '../orders/orders.queries.ts'

const BATCH = 50

/** A customer's orders, as the customer sees them, for the export of their personal data. */
export function replyToReadPersonalData(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  replyTo(context, ReadOrdersPersonalData, async ({ customerId, after = '' }) => {
    const orders = await findOrdersAfter(context.db, customerId, { after, limit: BATCH })
    return messagePage(orders, {
      limit: BATCH,
      recordOf: (order) => ({ kind: 'order', record: { ...publicOrder(order) } }),
      nextOf: ({ id }) => id,
    })
  })
}
