import type { Tx } from '../database.ts'
import { optionsKeyOf } from './match-variants.ts'
import { findFormerVariants, type FormerVariant, type SkuOfProduct } from './variants.queries.ts'

/** A variant that is added, and may have been removed before. */
export interface AddedVariant extends SkuOfProduct {
  options: Record<string, string>
  /** Whether its SKU was made from its options. */
  hasGeneratedSku: boolean
}

/** Returns the id that a variant of a product had under a SKU before it was removed. */
export type FormerId = (productId: string, sku: string) => string | undefined

/** Finds the ids by which carts and orders refer to variants that are added again under their SKUs. */
export async function findFormerIds(tx: Tx, added: readonly AddedVariant[]): Promise<FormerId> {
  const keyOf = ({ productId, sku }: SkuOfProduct) => JSON.stringify([productId, sku])
  const former = Map.groupBy(await findFormerVariants(tx, added), keyOf)
  const ids = new Map(added.map((each) => [keyOf(each), former.get(keyOf(each))?.find((one) => isSame(each, one))?.id]))
  return (productId, sku) => ids.get(keyOf({ productId, sku }))
}

/** Other options may make the same SKU, and the stock of the one is not that of the other. */
function isSame({ options, hasGeneratedSku }: AddedVariant, former: FormerVariant): boolean {
  return !hasGeneratedSku || former.options === null || optionsKeyOf(former.options) === optionsKeyOf(options)
}
