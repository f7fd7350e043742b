interface PricedVariant {
  priceMinor: number
  compareAtMinor: number | undefined
}

/**
 * The product has the lowest price of its variants, and a compare-at price only if all variants with that price have
 * one. A variant whose prices differ from those of the product has its own, so that it does not inherit them.
 * @returns also the own prices of each variant
 */
export function sharedPrices(variants: readonly PricedVariant[], currency: string) {
  const money = (amount: number) => ({ amount, currency })
  const lowestMinor = variants.reduce((least, { priceMinor }) => Math.min(least, priceMinor), Infinity)
  const compareAts = variants.filter(({ priceMinor }) => priceMinor === lowestMinor).map((each) => each.compareAtMinor)
  const compareAtMinor = compareAts.reduce(
    (one, other) => (one === undefined || other === undefined ? undefined : Math.min(one, other)),
    compareAts[0],
  )
  return {
    price: money(variants.length === 0 ? 0 : lowestMinor),
    compareAtPrice: compareAtMinor === undefined ? null : money(compareAtMinor),
    own: variants.map((variant) => {
      const isOwn = variant.priceMinor !== lowestMinor || variant.compareAtMinor !== compareAtMinor
      return {
        ...(isOwn && { price: money(variant.priceMinor), priceOverride: true }),
        ...(isOwn && variant.compareAtMinor !== undefined && { compareAtPrice: money(variant.compareAtMinor) }),
      }
    }),
  }
}
