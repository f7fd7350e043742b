import type { Money } from '../shop/catalog.ts'

interface Priced {
  price: Money
  compareAtPrice: Money | null
}

/** What a page says about a price. */
export interface ShownPrice {
  price: Money
  /** The former price. */
  before: Money | null
  /** Whether some variants cost more. */
  isFrom?: boolean
}

export function priceOf({ price, compareAtPrice }: Priced): ShownPrice {
  return { price, before: compareAtPrice }
}

/** The price of the cheapest variant: at the price of the product itself nothing may be sold. */
export function lowestPrice(product: Priced & { variants: readonly Priced[] }): Required<ShownPrice> {
  const byPrice = product.variants.toSorted((one, other) => one.price.amount - other.price.amount)
  const lowest = priceOf(byPrice[0] ?? product)
  return { ...lowest, isFrom: byPrice.some(({ price }) => price.amount > lowest.price.amount) }
}
