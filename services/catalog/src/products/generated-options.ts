import { isDeepStrictEqual } from 'node:util'
import type { ProductInput, ProductPatch } from '@storefront/contracts'
import { choosableOptions } from './choosable-options.ts'

type Sent = Pick<ProductPatch, 'options' | 'variants'>

/**
 * Replaces the options that were made for the product page by those that the merchant wrote, for a client that reads a
 * product from the storefront's routes and sends it back.
 */
export function withoutGeneratedOptions(
  { options, variants }: Sent,
  product: Pick<ProductInput, 'options' | 'variants'>,
): Sent {
  const own = product.options ?? []
  const shown = choosableOptions({ options: own, variants: product.variants.map((variant) => variant.options) })
  if (options !== undefined && !isDeepStrictEqual(options, shown.options)) return { options, variants }
  const madeById = new Map(
    product.variants.map(({ id, options: chosen }, index) => [id, { chosen, shown: shown.variants[index] }]),
  )
  return {
    options: options && own,
    variants: variants?.map((variant) => {
      const made = madeById.get(variant.id)
      return made && isDeepStrictEqual(variant.options, made.shown) ? { ...variant, options: made.chosen } : variant
    }),
  }
}
