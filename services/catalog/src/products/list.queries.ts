import { sql, type RawBuilder } from 'kysely'
import type { ProductSort } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { inScope, scopeKey, type Scope, type ScopeFacts } from '../facets/listing-scope.ts'

export interface ListFilters {
  scope: Scope
  search: string
  sizes: string[]
  colors: string[]
  tags: string[]
  minPrice: number | undefined
  maxPrice: number | undefined
  inStock: boolean
  sort: ProductSort
  limit: number
  offset: number
}

/** Every order ends with the id, so that pages never overlap (decisions, section 3). */
const ORDERS: Record<ProductSort, RawBuilder<unknown>> = {
  featured: sql`coalesce(p.position, 2147483647), p.units_sold_30_days desc, p.rating_count desc, p.created_at desc, p.id`,
  newest: sql`p.created_at desc, p.id`,
  'price-asc': sql`p.price_minor, p.id`,
  'price-desc': sql`p.price_minor desc, p.id`,
  rating: sql`p.rating_average desc, p.rating_count desc, p.id`,
}

export interface FoundList {
  /** The items' JSON, joined by commas. */
  items: string
  slugs: string[]
  /** Undefined when nothing was filtered: then the scope knows it. */
  total: number | undefined
  /** Undefined when the scope's facts are stale or were never computed. */
  scope: ScopeFacts | undefined
}

/** One page of a list with what is stored of its scope. Counting is left out where the scope has the total. */
export async function findList(db: Database | Tx, filters: ListFilters): Promise<FoundList> {
  const conditions = conditionsOf(filters)
  const where = sql.join([sql`p.published`, inScope(filters.scope), ...conditions], sql` and `)
  const total = conditions.length === 0 ? sql`null::int` : sql`(select count(*)::int from products p where ${where})`
  const { rows } = await sql<ListRow>`
    select string_agg(a.item, ',' order by page.place) as items, array_agg(page.slug order by page.place) as slugs,
      ${total} as total,
      (select jsonb_build_array(total, facets) from listing_scopes
        where scope = ${scopeKey(filters.scope)} and not stale) as scope
    from (
      select p.id, p.slug, row_number() over (order by ${ORDERS[filters.sort]}) as place
      from products p where ${where}
      order by ${ORDERS[filters.sort]} limit ${filters.limit} offset ${filters.offset}
    ) page join product_answers a on a.product_id = page.id`.execute(db)
  const row = rows[0]
  return {
    items: row?.items ?? '',
    slugs: row?.slugs ?? [],
    total: row?.total ?? undefined,
    scope: row?.scope ? { total: row.scope[0], facets: row.scope[1] } : undefined,
  }
}

interface ListRow {
  items: string | null
  slugs: string[] | null
  total: number | null
  scope: [total: number, facets: string] | null
}

function conditionsOf(filters: ListFilters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (filters.search !== '') conditions.push(sql`p.search @@ websearch_to_tsquery('english', ${filters.search})`)
  if (filters.tags.length > 0) conditions.push(sql`p.tags && ${filters.tags}::text[]`)
  if (filters.minPrice !== undefined) conditions.push(sql`p.price_minor >= ${filters.minPrice}`)
  if (filters.maxPrice !== undefined) conditions.push(sql`p.price_minor <= ${filters.maxPrice}`)
  const { sizes, colors, inStock } = filters
  if (sizes.length > 0 || inStock) {
    // Sizes and stock speak of what can be bought, and with a colour the same variant must have both.
    conditions.push(sql`exists (
      select 1 from variants v join stock s on s.variant_id = v.id
      where v.product_id = p.id and s.on_hand > s.reserved
        ${sizes.length > 0 ? sql`and v.size = any(${sizes})` : sql``}
        ${colors.length > 0 && sizes.length > 0 ? sql`and v.color = any(${colors})` : sql``})`)
  }
  if (colors.length > 0 && sizes.length === 0) {
    conditions.push(sql`exists (select 1 from variants v where v.product_id = p.id and v.color = any(${colors}))`)
  }
  return conditions
}
