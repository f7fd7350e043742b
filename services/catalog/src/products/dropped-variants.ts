import type { Tx } from '../database.ts'
import { variantsMissing, type MissingVariant } from '../errors.ts'
import { lockStock, type LockedStock } from '../stock/stock.queries.ts'

/** Locks the stock of variants, of deleted ones and of those whose quantities are given, in the common lock order. */
export async function lockStockById(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, LockedStock>> {
  if (ids.length === 0) return new Map()
  return new Map((await lockStock(tx, ids)).map((row) => [row.variantId, row]))
}

/** @throws HttpError `variants_missing` when there is stock of one of these variants, or a checkout holds some */
export function assertNoStockDropped(
  dropped: readonly Pick<MissingVariant, 'id' | 'sku' | 'options'>[],
  stock: ReadonlyMap<string, LockedStock>,
): void {
  const missing = dropped.flatMap(({ id, sku, options }): MissingVariant[] => {
    const { onHand = 0, reserved = 0 } = stock.get(id) ?? {}
    return onHand > 0 || reserved > 0 ? [{ id, sku, options, onHand, reserved }] : []
  })
  if (missing.length > 0) throw variantsMissing(missing)
}
