import type { ProductSort } from '@storefront/contracts'
import type { SortKey } from '@storefront/facet-index'

/** The sort values of listings, ascending: negated where an order begins with the largest. */
export type Column =
  | 'featuredPosition'
  | 'minusUnitsSold'
  | 'minusRatingCount'
  | 'minusRatingHundredths'
  | 'minusCreatedMs'
  | 'priceMinor'
  | 'minusPriceMinor'

export type OrderName = ProductSort | 'bestselling'

/** Columns of each order. After them the id decides, so that pages never overlap. */
export const ORDERS: Record<OrderName, readonly Column[] | 'text'> = {
  featured: ['featuredPosition', 'minusUnitsSold', 'minusRatingCount', 'minusCreatedMs'],
  newest: ['minusCreatedMs'],
  'price-asc': ['priceMinor'],
  'price-desc': ['minusPriceMinor'],
  rating: ['minusRatingHundredths', 'minusRatingCount'],
  // By the title: see `byName`.
  name: 'text',
  bestselling: ['minusUnitsSold', 'minusRatingCount', 'minusCreatedMs'],
}

/**
 * Compares titles as in a dictionary: case and accents count only between otherwise equal titles. Always in the same
 * language, so that every replica has the same order and no change of a setting sorts the whole shop again.
 */
export const byName: (one: string, other: string) => number = new Intl.Collator('en').compare

/** Whether a key fits this sort: as many numbers as it has columns, or a title, and then an id. */
export function isKeyOf(sort: ProductSort, key: SortKey): boolean {
  const values = key.slice(0, -1)
  const columns = ORDERS[sort]
  const isValue = (value: unknown) => typeof value === (columns === 'text' ? 'string' : 'number')
  const length = columns === 'text' ? 1 : columns.length
  return values.length === length && values.every(isValue) && typeof key.at(-1) === 'string'
}
