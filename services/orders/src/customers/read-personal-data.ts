import { answer, type ActorVerifier, type Log, type Messaging } from '@storefront/chassis'
import { ReadOrdersPersonalData } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { publicOrder } from '../orders/order.ts'
import { findOrdersAfter } from '../orders/orders.queries.ts'

const BATCH = 50
/** What a page holds, as long as it is more than one order. */
const PAGE_BYTES = 256_000

/** A customer's orders, as the customer sees them, for the document of everything that is kept about a person. */
export function answerReadPersonalData(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  answer(context, ReadOrdersPersonalData, async ({ customerId, after = '' }) => {
    const orders = await findOrdersAfter(context.db, customerId, { after, limit: BATCH })
    const records: { kind: string; record: Record<string, unknown> }[] = []
    let bytes = 0
    for (const order of orders) {
      const record = { kind: 'order', record: { ...publicOrder(order) } }
      bytes += Buffer.byteLength(JSON.stringify(record))
      if (records.length > 0 && bytes > PAGE_BYTES) break
      records.push(record)
    }
    const last = orders[records.length - 1]
    const isAll = records.length === orders.length && orders.length < BATCH
    return { records, ...(isAll || !last ? {} : { next: last.id }) }
  })
}
