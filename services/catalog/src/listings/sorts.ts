import { ProductSort } from '@storefront/contracts'

/** What a listing is sorted by: where a page ended. The last is the product's id. */
export type SortKey = (number | string)[]

/** What listings are sorted by, ascending: negated where an order begins with the largest. */
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

/** Columns of each order (decisions, section 3). After them the id decides, so that pages never overlap. */
export const ORDERS: Record<OrderName, readonly Column[]> = {
  featured: ['featuredPosition', 'minusUnitsSold', 'minusRatingCount', 'minusCreatedMs'],
  newest: ['minusCreatedMs'],
  'price-asc': ['priceMinor'],
  'price-desc': ['minusPriceMinor'],
  rating: ['minusRatingHundredths', 'minusRatingCount'],
  // By the title, which is no number: see `byName`.
  name: [],
  bestselling: ['minusUnitsSold', 'minusRatingCount', 'minusCreatedMs'],
}

export const ORDER_NAMES: readonly OrderName[] = [...ProductSort.options, 'bestselling']

/**
 * Compares titles as a dictionary has them: case and accents count only between titles that are otherwise the same. Always
 * in one language, whatever the shop's: every instance has one order, and no change of a setting sorts the shop anew.
 */
export const byName: (one: string, other: string) => number = new Intl.Collator('en').compare

/** Whether a key is one of this sort: as many numbers as it has columns, or a title, and then an id. */
export function isKeyOf(sort: ProductSort, key: SortKey): boolean {
  const values = key.slice(0, -1)
  const isValue = (value: unknown) => typeof value === (sort === 'name' ? 'string' : 'number')
  const length = sort === 'name' ? 1 : ORDERS[sort].length
  return values.length === length && values.every(isValue) && typeof key.at(-1) === 'string'
}
