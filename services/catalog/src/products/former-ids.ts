import type { Tx } from '../database.ts'
import { findFormerVariants, type SkuOfProduct } from './variants.queries.ts'

/** Returns the id that a variant of a product had under a SKU before it was removed. */
export type FormerId = (productId: string, sku: string) => string | undefined

/** Finds the ids by which carts and orders refer to variants that are added again under their SKUs. */
export async function findFormerIds(tx: Tx, returning: readonly SkuOfProduct[]): Promise<FormerId> {
  const keyOf = (productId: string, sku: string) => JSON.stringify([productId, sku])
  const ids = new Map(
    (await findFormerVariants(tx, returning)).map(({ productId, sku, id }) => [keyOf(productId, sku), id]),
  )
  return (productId, sku) => ids.get(keyOf(productId, sku))
}
