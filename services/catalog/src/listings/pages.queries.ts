import { sql, type RawBuilder } from 'kysely'
import type { ProductSort } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { bitsByChunk, isMatching } from './bitmaps.queries.ts'
import type { TermFilter } from './filters.ts'
import { isAfter, keyOf, orderOf, type SortKey } from './sorts.ts'

/**
 * Up to so many matches are fetched and sorted. More are met often enough on a walk along the index of the order, which
 * stops when the page is full (docs/decisions/0011).
 */
export const FEW = 500

/** Which listings, in which order, and which part of them. */
export interface PageRequest {
  sort: ProductSort
  /** Undefined: all. */
  filter: TermFilter | undefined
  /** All that match, when they are few. */
  ordinals: readonly number[] | undefined
  /** A condition beside the filter, on listing `l`. */
  also?: RawBuilder<unknown>
  after: SortKey | undefined
  offset: number
  limit: number
}

export interface PageRow {
  productId: string
  key: SortKey
}

/**
 * SQL: rows (product_id, key, place) of a page. The two ways of finding one are spelled out, with `offset 0` where
 * PostgreSQL would otherwise turn one into the other: it cannot know how few match.
 */
function page(request: PageRequest): RawBuilder<unknown> {
  const { sort, filter, ordinals, after } = request
  const walks = filter !== undefined && ordinals === undefined
  const conditions = [
    ...(walks ? [isMatching(sql`select chunks from matching`, sql`l.ordinal`)] : []),
    // The bitmaps know the prices too; said again, they let a walk along the price index begin where the range does.
    ...(walks && filter.minPrice !== undefined ? [sql`l.price_minor >= ${filter.minPrice}`] : []),
    ...(walks && filter.maxPrice !== undefined ? [sql`l.price_minor <= ${filter.maxPrice}`] : []),
    ...(request.also ? [request.also] : []),
    ...(after ? [isAfter(sort, after)] : []),
  ]
  const from =
    ordinals === undefined
      ? sql`listings l`
      : sql`(select * from listings where ordinal = any(${ordinals}::int[]) offset 0) l`
  return sql`
    ${walks ? sql`with matching as materialized (${bitsByChunk(filter)})` : sql``}
    select l.product_id, ${keyOf(sort)} as key, row_number() over (order by ${orderOf(sort)}) as place
    from (
      select l.* from ${from} ${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`}
      order by ${orderOf(sort)} limit ${request.limit} offset ${request.offset}
    ) l`
}

/** A walk is planned for its values: a plan made for any limit would sort all that match. */
function planning({ ordinals }: PageRequest): RawBuilder<unknown> {
  return ordinals === undefined ? sql`/* plan anew */` : sql``
}

export async function findPageRows(db: Database | Tx, request: PageRequest): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    ${planning(request)} select product_id as "productId", key from (${page(request)}) p order by place`.execute(db)
  return rows
}

export interface FoundItems {
  /** The items' JSON, joined by commas. */
  items: string
  slugs: string[]
  /** Where the next page begins; undefined on the last. */
  nextKey: SortKey | undefined
  /** What is stored of the scope: total and facets; undefined when it is stale or not stored. */
  scope: { total: number; facets: string } | undefined
}

/** A page with its stored answers, and with the facets of its scope, in one statement. */
export async function findPageItems(db: Database | Tx, request: PageRequest, scope: string): Promise<FoundItems> {
  const rowsOfPage = page({ ...request, limit: request.limit + 1 })
  return itemsOf(db, rowsOfPage, request.limit, scope, planning(request))
}

/** The stored answers of these listings, in this order. */
export async function findItems(db: Database | Tx, listed: readonly PageRow[], scope: string): Promise<FoundItems> {
  const ids = listed.map((row) => row.productId)
  return itemsOf(
    db,
    sql`select product_id, null::jsonb as key, place
      from unnest(${ids}::text[]) with ordinality as given (product_id, place)`,
    ids.length,
    scope,
    sql``,
  )
}

async function itemsOf(
  db: Database | Tx,
  rowsOfPage: RawBuilder<unknown>,
  limit: number,
  scope: string,
  planned: RawBuilder<unknown>,
): Promise<FoundItems> {
  const { rows } = await sql<{
    items: string | null
    slugs: string[] | null
    nextKey: SortKey | null
    scope: [total: number, facets: string] | null
  }>`
    ${planned} select string_agg(a.item, ',' order by p.place) as items,
      array_agg(a.slug order by p.place) filter (where a.slug is not null) as slugs,
      case when count(*) > ${limit} then (array_agg(p.key order by p.place))[${limit}::int] end as "nextKey",
      (select jsonb_build_array(total, facets) from listing_scopes where scope = ${scope} and not stale) as scope
    from (${rowsOfPage}) p left join lateral (
      select item, slug from product_answers where product_id = p.product_id and p.place <= ${limit} offset 0
    ) a on true`.execute(db)
  const row = rows[0]
  return {
    items: row?.items ?? '',
    slugs: row?.slugs ?? [],
    nextKey: row?.nextKey ?? undefined,
    scope: row?.scope ? { total: row.scope[0], facets: row.scope[1] } : undefined,
  }
}
