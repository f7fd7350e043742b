import type { CsvVariant } from './shopify-variants.ts'

/** @returns undefined when no variant has a price that can be read */
export function lowestPriceOf(variants: readonly CsvVariant[]): number | undefined {
  const prices = variants.flatMap(({ priceMinor }) => priceMinor ?? [])
  return prices.length === 0 ? undefined : prices.reduce((one, other) => Math.min(one, other))
}

/**
 * The product has the lowest price of its variants, and a former price only if all variants with that price have one. A
 * variant without a compare-at price would get the product's: it has its own price instead, which prevents that.
 */
export function pricesOf(variants: readonly CsvVariant[], currency: string) {
  const money = (amount: number) => ({ amount, currency })
  const lowestMinor = lowestPriceOf(variants) ?? 0
  const compareAts = variants.filter(({ priceMinor }) => priceMinor === lowestMinor).map((each) => each.compareAtMinor)
  const compareAtMinor = compareAts.reduce(
    (one, other) => (one === undefined || other === undefined ? undefined : Math.min(one, other)),
    compareAts[0],
  )
  return {
    price: money(lowestMinor),
    compareAtPrice: compareAtMinor === undefined ? null : money(compareAtMinor),
    variants: variants.map((variant) => {
      const { sku, options, priceMinor = lowestMinor, inventory, imageId } = variant
      const isAsProduct = priceMinor === lowestMinor && variant.compareAtMinor === compareAtMinor
      return {
        ...(sku !== '' && { sku }),
        options,
        ...(!isAsProduct && { price: money(priceMinor), priceOverride: true }),
        ...(!isAsProduct && variant.compareAtMinor !== undefined && { compareAtPrice: money(variant.compareAtMinor) }),
        ...(inventory !== undefined && { inventory }),
        ...(imageId !== undefined && { imageId }),
      }
    }),
  }
}
