import type { Tx } from '../database.ts'
import { markAttention } from '../orders/orders.queries.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'

/** Flags this locked order for attention, because a refund is owed, and records that in its timeline. */
export async function flagRefundDue(tx: Tx, orderId: string, now: Date): Promise<void> {
  const marked = await markAttention(tx, [orderId], 'refund_due')
  const detail = { attention: 'refund_due' }
  await recordSteps(
    tx,
    marked.map((id) => ({ orderId: id, kind: 'attention', detail })),
    now,
  )
}
