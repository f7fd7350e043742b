import type { PriceEntry, PriceFacts } from '@storefront/contracts'
import type { StoredLine } from '../cart/stored-cart.ts'
import type { StoredDiscount } from '../discounts/discount.ts'

/** A line that can be bought, at its current price. */
export interface SoldLine {
  facts: PriceFacts
  /** Minor units. */
  total: number
}

/** The price projection's entry of a variant that is sold in this currency; undefined for a withdrawn one. */
export function factsOfSold(entry: PriceEntry | undefined, currency: string): PriceFacts | undefined {
  return entry?.facts.published === true && entry.facts.price.currency === currency ? entry.facts : undefined
}

export function soldLines(
  lines: readonly StoredLine[],
  entries: ReadonlyMap<string, PriceEntry>,
  currency: string,
): SoldLine[] {
  return lines.flatMap(({ variantId, quantity }) => {
    const facts = factsOfSold(entries.get(variantId), currency)
    return facts ? [{ facts, total: facts.price.amount * quantity }] : []
  })
}

/**
 * The subtotal of the lines that a discount applies to, undefined when it is restricted and applies to none of them. A
 * line that fits one of the restrictions, categories or products, is enough.
 */
export function eligibleSubtotal(
  lines: readonly SoldLine[],
  discount: Pick<StoredDiscount, 'categories' | 'products'>,
): number | undefined {
  const categories = new Set(discount.categories)
  const products = new Set(discount.products)
  if (categories.size === 0 && products.size === 0) return subtotalOf(lines)
  const eligible = lines.filter(
    ({ facts }) =>
      products.has(facts.productId) ||
      products.has(facts.productSlug) ||
      facts.categories.some((category) => categories.has(category)),
  )
  return eligible.length === 0 ? undefined : subtotalOf(eligible)
}

export function subtotalOf(lines: readonly SoldLine[]): number {
  return lines.reduce((sum, line) => sum + line.total, 0)
}
