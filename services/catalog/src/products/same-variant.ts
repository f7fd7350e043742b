import { skuTaken, variantExists } from '../errors.ts'
import { optionsKeyOf, type Named } from './match-variants.ts'
import type { RawProduct } from './raw-product.ts'

/** Rejects a variant that already exists: with the same id, SKU or options. */
export function assertNewVariant({ id, sku, options }: Named, others: RawProduct['variants']): void {
  if (sku !== undefined && others.some((each) => each.sku === sku)) throw skuTaken(sku)
  const sameId = others.find((each) => each.id === id)
  if (sameId) throw variantExists(sameId, 'this id')
  const key = options && optionsKeyOf(options)
  const sameOptions = others.find((each) => optionsKeyOf(each.options) === key)
  if (sameOptions) throw variantExists(sameOptions, 'these options')
}
