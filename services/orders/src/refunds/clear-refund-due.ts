import type { Tx } from '../database.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { clearAttentionWhenSettled } from './refunds.queries.ts'

/** Clears the attention flag of this locked order if no refund is owed any longer, and records that in its timeline. */
export async function clearRefundDue(
  tx: Tx,
  orderId: string,
  { now, actor }: { now: Date; actor: string | undefined },
): Promise<void> {
  if (await clearAttentionWhenSettled(tx, orderId))
    await recordSteps(tx, [{ orderId, kind: 'attention_cleared', actor }], now)
}
