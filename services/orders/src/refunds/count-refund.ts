import type { Tx } from '../database.ts'
import { cancelOrder } from '../orders/cancel-order.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { returnGoods } from '../orders/return-goods.ts'
import { mayBecome } from '../orders/transitions.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { isFullyRefunded, paymentStatusOf, type StoredRefund } from './refund.ts'
import { tellOfRefund } from './tell-of-refund.ts'
import { clearAttentionWhenSettled, markRestockedBy, setRefunded } from './refunds.queries.ts'

/**
 * A refund of this locked order has succeeded: the one place where money that went back is taken off an order, and where it
 * is decided what becomes of the order and its goods.
 */
export async function countRefund(
  tx: Tx,
  order: StoredOrder,
  refund: StoredRefund,
  { now, actor }: { now: Date; actor: string | undefined },
): Promise<void> {
  const { id: refundId, amountMinor: amount, currency, reference, ofDuplicate } = refund
  const detail = {
    refundId,
    amount,
    currency,
    ...(reference !== null && { reference }),
    ...(ofDuplicate && { ofDuplicate }),
  }
  await recordSteps(tx, [{ orderId: order.id, kind: 'refund_succeeded', actor, detail }], now)
  if (!ofDuplicate) {
    const refundedMinor = order.refundedMinor + amount
    const paymentStatus = paymentStatusOf(order.capturedMinor, refundedMinor)
    await setRefunded(tx, { id: order.id, refundedMinor, paymentStatus })
    const after = { ...order, refundedMinor }
    if (isFullyRefunded(after)) await endOrder(tx, order.id, refund, { now, actor })
  }
  if (await clearAttentionWhenSettled(tx, order.id))
    await recordSteps(tx, [{ orderId: order.id, kind: 'attention_cleared', actor }], now)
  await tellOfRefund(tx, refund, now)
}

/**
 * The buyer has all of his money back. An order that was not sent yet is cancelled; of one that was, the goods come back. What
 * was cancelled before stays as its cancelling left it.
 */
async function endOrder(
  tx: Tx,
  orderId: string,
  refund: StoredRefund,
  { now, actor }: { now: Date; actor: string | undefined },
): Promise<void> {
  // Read anew: the news of its cancelling carries this refund and what it adds up to.
  const order = await findOrder(tx, orderId)
  if (!order) return
  const restock = refund.restock === true
  if (mayBecome(order.status, 'cancelled')) await cancelOrder(tx, order, { now, actor, restock })
  else if (order.status !== 'cancelled' && restock) await returnGoods(tx, order, { now, actor })
  if (order.restockedAt === null && (await findOrder(tx, order.id))?.restockedAt) await markRestockedBy(tx, refund.id)
}
