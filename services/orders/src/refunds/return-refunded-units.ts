import type { Tx } from '../database.ts'
import { namedUnits } from '../orders/named-units.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { publishReturn } from '../orders/return-goods.ts'
import type { StoredRefund } from './refund.ts'
import { unitsToRestock } from './refunded-lines.ts'
import { saveRestockedLines } from './refunds.queries.ts'

/**
 * Returns the units of a refund that has just succeeded to the stock, in the transaction in which it is counted: once,
 * because a refund succeeds once. The order must be locked.
 */
export async function returnRefundedUnits(
  tx: Tx,
  { id: refundId, orderId, lines }: StoredRefund,
  { now, actor }: { now: Date; actor: string | undefined },
): Promise<void> {
  if (lines === null || !lines.some(({ restock }) => restock)) return
  // Read again: the refund counts as succeeded from here on.
  const order = await findOrder(tx, orderId)
  // An order without a hold took nothing and returns nothing.
  if (!order || order.claim === null) return
  const units = unitsToRestock(order, refundId)
  if (units.length === 0) return
  await publishReturn(tx, order, units, { now, actor, detail: { refundId, lines: namedUnits(order, units) } })
  const returned = new Map(units.map(({ lineId, quantity }) => [lineId, quantity]))
  await saveRestockedLines(
    tx,
    refundId,
    lines.map((line) => ({ ...line, restocked: returned.get(line.lineId) ?? 0 })),
  )
}
