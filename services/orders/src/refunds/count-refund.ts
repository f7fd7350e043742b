import type { Tx } from '../database.ts'
import { cancelOrder } from '../orders/cancel-order.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { returnGoods } from '../orders/return-goods.ts'
import { mayBecome } from '../orders/transitions.ts'
import { unitsOf } from './refund-detail.ts'
import { returnRefundedUnits } from './return-refunded-units.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { isFullyRefunded, paymentStatusOf, type StoredRefund } from './refund.ts'
import { publishRefund } from './publish-refund.ts'
import { clearRefundDue } from './clear-refund-due.ts'
import { findRestockRequestedLater, markRestockedBy, setRefunded } from './refunds.queries.ts'

/**
 * Records a successful refund of this locked order: the only place where refunded money is counted for an order, and
 * where the effects on the order and its goods are decided.
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
    ...unitsOf(order, refund),
  }
  await recordSteps(tx, [{ orderId: order.id, kind: 'refund_succeeded', actor, detail }], now)
  if (!ofDuplicate) {
    const refundedMinor = order.refundedMinor + amount
    const paymentStatus = paymentStatusOf(order.capturedMinor, refundedMinor)
    await setRefunded(tx, { id: order.id, refundedMinor, paymentStatus })
    await returnRefundedUnits(tx, refund, { now, actor })
    const after = { ...order, refundedMinor }
    if (isFullyRefunded(after, currency)) await endOrder(tx, order.id, refund, { now, actor })
  }
  await clearRefundDue(tx, order.id, { now, actor })
  await publishRefund(tx, refund, now)
}

/**
 * The buyer is fully refunded. An order that was not sent yet is canceled; for one that was sent, the goods are
 * returned. An order that was already canceled is not changed.
 */
async function endOrder(
  tx: Tx,
  orderId: string,
  refund: StoredRefund,
  { now, actor }: { now: Date; actor: string | undefined },
): Promise<void> {
  // Read again: the event of the cancellation carries this refund and the new sum.
  const order = await findOrder(tx, orderId)
  if (!order) return
  const laterRestock = refund.lines === null ? undefined : await findRestockRequestedLater(tx, refund)
  if (mayBecome(order.status, 'cancelled'))
    await cancelOrder(tx, order, { now, actor, restock: laterRestock ?? refund.restock === true })
  // After a refund of units, the buyer of an order that was sent keeps the other units.
  else if (order.status !== 'cancelled' && (laterRestock ?? (refund.lines === null && refund.restock === true)))
    await returnGoods(tx, order, { now, actor })
  if (order.restockedAt === null && (await findOrder(tx, order.id))?.restockedAt) await markRestockedBy(tx, refund.id)
}
