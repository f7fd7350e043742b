import type { Tx } from '../database.ts'
import { variantsMissing, type MissingVariant } from '../errors.ts'
import { findStockLevels, lockStock, type StockLevel } from '../stock/stock.queries.ts'

export type DroppedVariant = Pick<MissingVariant, 'id' | 'sku' | 'options'>

/** The stock of variants that are deleted or whose quantities are set. */
export async function findStockById(
  tx: Tx,
  ids: readonly string[],
  { locks }: { locks: boolean },
): Promise<ReadonlyMap<string, StockLevel>> {
  if (ids.length === 0) return new Map()
  const rows = await (locks ? lockStock(tx, ids) : findStockLevels(tx, ids))
  return new Map(rows.map((row) => [row.variantId, row]))
}

/** @throws HttpError `variants_missing` when one of these variants has stock or reservations */
export function assertNoStockDropped(dropped: readonly DroppedVariant[], stock: ReadonlyMap<string, StockLevel>): void {
  const missing = dropped.flatMap(({ id, sku, options }): MissingVariant[] => {
    const { onHand = 0, reserved = 0 } = stock.get(id) ?? {}
    return onHand > 0 || reserved > 0 ? [{ id, sku, options, onHand, reserved }] : []
  })
  if (missing.length > 0) throw variantsMissing(missing)
}
