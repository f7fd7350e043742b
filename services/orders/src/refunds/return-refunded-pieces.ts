import type { Tx } from '../database.ts'
import { namedPieces } from '../orders/named-pieces.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { publishReturn } from '../orders/return-goods.ts'
import type { StoredRefund } from './refund.ts'
import { piecesToRestock } from './refunded-lines.ts'
import { saveRestockedLines } from './refunds.queries.ts'

/**
 * Returns the pieces of a refund that has just succeeded to the stock, in the transaction in which it is counted: once,
 * because a refund succeeds once. The order must be locked.
 */
export async function returnRefundedPieces(
  tx: Tx,
  { id: refundId, orderId, lines }: StoredRefund,
  { now, actor }: { now: Date; actor: string | undefined },
): Promise<void> {
  if (lines === null || !lines.some(({ restock }) => restock)) return
  // Read again: the refund counts as succeeded from here on.
  const order = await findOrder(tx, orderId)
  // An order without a hold took nothing and returns nothing.
  if (!order || order.claim === null) return
  const pieces = piecesToRestock(order, refundId)
  if (pieces.length === 0) return
  await publishReturn(tx, order, pieces, { now, actor, detail: { refundId, lines: namedPieces(order, pieces) } })
  const returned = new Map(pieces.map(({ lineId, quantity }) => [lineId, quantity]))
  await saveRestockedLines(
    tx,
    refundId,
    lines.map((line) => ({ ...line, restocked: returned.get(line.lineId) ?? 0 })),
  )
}
