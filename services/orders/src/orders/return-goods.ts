import { publish } from '@storefront/messaging'
import { OrderRestocked, type FulfilledLine } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { saveRestocked } from './changes.queries.ts'
import type { StoredOrder } from './order.ts'

/**
 * Puts the goods of an order on sale again, once, however often it is called. The order must be locked.
 * @param options.pieces only these; all of the order if missing
 * @returns whether this call put them on sale; an order without a hold took nothing and returns nothing
 */
export async function returnGoods(
  tx: Tx,
  order: StoredOrder,
  { now, actor, pieces }: { now: Date; actor?: string | undefined; pieces?: readonly FulfilledLine[] },
): Promise<boolean> {
  const { id: orderId, claim, placedAt } = order
  if (claim === null || !(await saveRestocked(tx, orderId, now))) return false
  const quantities = new Map<string, number>()
  for (const { id, variantId, quantity } of order.document.lines) {
    const returned = pieces ? (pieces.find(({ lineId }) => lineId === id)?.quantity ?? 0) : quantity
    if (returned > 0) quantities.set(variantId, (quantities.get(variantId) ?? 0) + returned)
  }
  const lines = [...quantities].map(([variantId, quantity]) => ({ variantId, quantity }))
  await publish(tx, OrderRestocked, { orderId, claim, placedAt: placedAt.toISOString(), lines }, now)
  await recordSteps(tx, [{ orderId, kind: 'restocked', actor, detail: { lines } }], now)
  return true
}
