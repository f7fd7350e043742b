import { publish } from '@storefront/messaging'
import { OrderCancelled } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { remainingToFulfil } from '../fulfilments/remaining-to-fulfil.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { decidedUnits } from '../refunds/refunded-lines.ts'
import { saveCancelled } from './changes.queries.ts'
import type { StoredOrder } from './order.ts'
import { countOrderEvent } from './order-metrics.ts'
import { orderEventData } from './order-event-data.ts'
import { returnGoods } from './return-goods.ts'

/**
 * Cancels an order: its goods are for sale again and its discount code may be redeemed again. Money that was received
 * stays until the merchant refunds it, and the order is flagged for that (docs/decisions/0021). The order must be
 * locked and just read, and its status must allow it (`mayBecome`).
 * @param options.restock false when the goods must not be for sale again
 */
export async function cancelOrder(
  tx: Tx,
  order: StoredOrder,
  { now, actor, restock }: { now: Date; actor?: string | undefined; restock: boolean },
): Promise<void> {
  const { id: orderId, cartId, discountClaim } = order
  const { isRefundDue } = await saveCancelled(tx, orderId)
  const eventData = await orderEventData(tx, { ...order, status: 'cancelled' })
  await publish(tx, OrderCancelled, { ...eventData, cartId, ...(discountClaim !== null && { discountClaim }) }, now)
  countOrderEvent(tx, 'cancelled')
  await recordSteps(tx, [{ orderId, kind: 'cancelled', actor }], now)
  if (isRefundDue && order.attention !== 'refund_due') {
    await recordSteps(tx, [{ orderId, kind: 'attention', detail: { attention: 'refund_due' } }], now)
  }
  // Goods that were already sent cannot be sold again.
  if (restock) await returnGoods(tx, order, { now, actor, units: remainingToFulfil(order, decidedUnits(order)) })
}
