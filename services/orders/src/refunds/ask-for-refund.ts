import type { Tx } from '../database.ts'
import { markAttention } from '../orders/orders.queries.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'

/** Money of this locked order is owed: a person has to look at it, and the timeline says since when. */
export async function askForRefund(tx: Tx, orderId: string, now: Date): Promise<void> {
  const marked = await markAttention(tx, [orderId], 'refund_due')
  const detail = { attention: 'refund_due' }
  await recordSteps(
    tx,
    marked.map((id) => ({ orderId: id, kind: 'attention', detail })),
    now,
  )
}
