import { ProductSort } from '@storefront/contracts'

/** The values of a listing's sort columns: where a page ended. The last is the product's id. */
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
  bestselling: ['minusUnitsSold', 'minusRatingCount', 'minusCreatedMs'],
}

export const ORDER_NAMES: readonly OrderName[] = [...ProductSort.options, 'bestselling']

/** Length of a sort's keys, with the id. */
export function keyLength(sort: ProductSort): number {
  return ORDERS[sort].length + 1
}
