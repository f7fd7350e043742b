import { sql, type RawBuilder } from 'kysely'
import type { ProductSort } from '@storefront/contracts'

/** The values of a listing's sort columns: where a page ended. The last is the product's id. */
export type SortKey = (number | string)[]

/**
 * Columns of each order, all ascending, as the indexes of 0003_listings.sql have them. The id is last, so that pages never
 * overlap (decisions, section 3).
 */
const COLUMNS: Record<ProductSort, readonly RawBuilder<unknown>[]> = {
  featured: [
    sql`l.featured_position`,
    sql`(-l.units_sold)`,
    sql`(-l.rating_count)`,
    sql`(-l.created_ms)`,
    sql`l.product_id collate "C"`,
  ],
  newest: [sql`(-l.created_ms)`, sql`l.product_id collate "C"`],
  'price-asc': [sql`l.price_minor`, sql`l.product_id collate "C"`],
  'price-desc': [sql`(-l.price_minor)`, sql`l.product_id collate "C"`],
  rating: [sql`(-l.rating_hundredths)`, sql`(-l.rating_count)`, sql`l.product_id collate "C"`],
}

export function orderOf(sort: ProductSort): RawBuilder<unknown> {
  return sql.join(COLUMNS[sort])
}

/** The sort columns as one JSON array. */
export function keyOf(sort: ProductSort): RawBuilder<SortKey> {
  return sql<SortKey>`jsonb_build_array(${sql.join(COLUMNS[sort])})`
}

export function keyLength(sort: ProductSort): number {
  return COLUMNS[sort].length
}

/** SQL condition: the listing comes after this one. One row comparison, so that an index leads straight to it. */
export function isAfter(sort: ProductSort, key: SortKey): RawBuilder<unknown> {
  const values = key.map((value) => (typeof value === 'number' ? sql`${value}::bigint` : sql`${value}::text`))
  return sql`(${sql.join(COLUMNS[sort])}) > (${sql.join(values)})`
}
