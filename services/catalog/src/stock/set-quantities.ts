import { chunksOf } from '@storefront/service'
import type { Tx } from '../database.ts'
import { inLockOrder, lockStock, moveStock, type Movement, type StockLevel } from './stock.queries.ts'

/** The new number of available units of a variant. */
export interface WantedQuantity {
  variantId: string
  inventory: number
}

/** Stock rows in memory at once. */
const CHUNK = 5000

/**
 * Sets quantities, as movements of the difference. Reserved units stay reserved. Locks all rows, in the order of
 * `lockStock`.
 * @param options.others variants that are only locked
 * @returns the stock of the other variants
 */
export async function setQuantities(
  tx: Tx,
  wanted: readonly WantedQuantity[],
  {
    now,
    actor = null,
    isRefreshed = false,
    others = [],
  }: { now: Date; actor?: string | null; isRefreshed?: boolean; others?: readonly string[] },
): Promise<ReadonlyMap<string, StockLevel>> {
  const onlyLocked = new Map<string, StockLevel>()
  if (wanted.length + others.length === 0) return onlyLocked
  const inventories = new Map(wanted.map(({ variantId, inventory }) => [variantId, inventory]))
  const all = [...inventories.keys(), ...others]
  const ids = all.length > CHUNK ? await inLockOrder(tx, all) : all
  for (const chunk of chunksOf(ids, CHUNK)) {
    const movements: Movement[] = []
    for (const { variantId, onHand, reserved } of await lockStock(tx, chunk)) {
      const inventory = inventories.get(variantId)
      if (inventory === undefined) onlyLocked.set(variantId, { onHand, reserved })
      else if (inventory !== onHand - reserved) {
        const onHandDelta = inventory + reserved - onHand
        movements.push({ variantId, onHandDelta, reservedDelta: 0, kind: 'set', reference: null, actor })
      }
    }
    await moveStock(tx, movements, now, { isRefreshed })
  }
  return onlyLocked
}
