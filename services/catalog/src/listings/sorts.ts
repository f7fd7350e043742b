import { ProductSort } from '@storefront/contracts'

/** The sort values of the last listing of a page. The last value is the product's id. */
export type SortKey = (number | string)[]

/** The sort values of listings, ascending: negated where an order begins with the largest. */
export const COLUMNS = [
  'featuredPosition',
  'minusUnitsSold',
  'minusRatingCount',
  'minusRatingHundredths',
  'minusCreatedMs',
  'priceMinor',
  'minusPriceMinor',
] as const
export type Column = (typeof COLUMNS)[number]

export type OrderName = ProductSort | 'bestselling'

/** Columns of each order. After them the id decides, so that pages never overlap. */
export const ORDERS: Record<OrderName, readonly Column[]> = {
  featured: ['featuredPosition', 'minusUnitsSold', 'minusRatingCount', 'minusCreatedMs'],
  newest: ['minusCreatedMs'],
  'price-asc': ['priceMinor'],
  'price-desc': ['minusPriceMinor'],
  rating: ['minusRatingHundredths', 'minusRatingCount'],
  // By the title, which is not a number: see `byName`.
  name: [],
  bestselling: ['minusUnitsSold', 'minusRatingCount', 'minusCreatedMs'],
}

export const ORDER_NAMES: readonly OrderName[] = [...ProductSort.options, 'bestselling']

/**
 * Compares titles as a dictionary does: case and accents count only between otherwise equal titles. Always in one
 * language, whatever the shop's: every replica has the same order, and no change of a setting sorts the shop again.
 */
export const byName: (one: string, other: string) => number = new Intl.Collator('en').compare

/** Whether a key fits this sort: as many numbers as it has columns, or a title, and then an id. */
export function isKeyOf(sort: ProductSort, key: SortKey): boolean {
  const values = key.slice(0, -1)
  const isValue = (value: unknown) => typeof value === (sort === 'name' ? 'string' : 'number')
  const length = sort === 'name' ? 1 : ORDERS[sort].length
  return values.length === length && values.every(isValue) && typeof key.at(-1) === 'string'
}
