import { publish } from '@storefront/messaging'
import { OrderRestocked, type FulfilledLine } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { decidedUnits } from '../refunds/refunded-lines.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { saveRestocked } from './changes.queries.ts'
import type { StoredOrder } from './order.ts'

interface Return {
  now: Date
  actor?: string | undefined
}

/**
 * Puts the goods of an order on sale again when it ends, once, however often it is called. The order must be locked.
 * @param options.units only these; if missing, all units that no refund of units covers
 * @returns whether this call put them on sale; an order without a hold took nothing and returns nothing
 */
export async function returnGoods(
  tx: Tx,
  order: StoredOrder,
  { units = undecidedUnits(order), ...change }: Return & { units?: readonly FulfilledLine[] },
): Promise<boolean> {
  if (order.claim === null || units.length === 0 || !(await saveRestocked(tx, order.id, change.now))) return false
  await publishReturn(tx, order, units, change)
  return true
}

function undecidedUnits(order: StoredOrder): FulfilledLine[] {
  const decided = decidedUnits(order)
  return order.document.lines.flatMap(({ id, quantity }) => {
    const left = quantity - (decided.get(id) ?? 0)
    return left > 0 ? [{ lineId: id, quantity: left }] : []
  })
}

/**
 * Publishes that units of an order are for sale again. The caller must have recorded in the same transaction that they
 * came back: catalog returns what each event names.
 * @param options.detail for the timeline; the units by variant if missing
 */
export async function publishReturn(
  tx: Tx,
  { id: orderId, claim, placedAt, document }: StoredOrder,
  units: readonly FulfilledLine[],
  { now, actor, detail }: Return & { detail?: Record<string, unknown> },
): Promise<void> {
  if (claim === null) return
  const quantities = new Map<string, number>()
  for (const { id, variantId } of document.lines) {
    const returned = units.find(({ lineId }) => lineId === id)?.quantity ?? 0
    if (returned > 0) quantities.set(variantId, (quantities.get(variantId) ?? 0) + returned)
  }
  const lines = [...quantities].map(([variantId, quantity]) => ({ variantId, quantity }))
  await publish(tx, OrderRestocked, { orderId, claim, placedAt: placedAt.toISOString(), lines }, now)
  await recordSteps(tx, [{ orderId, kind: 'restocked', actor, detail: detail ?? { lines } }], now)
}
