import { sql } from 'kysely'
import type { OrderStatus } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findOrderId } from '../orders/orders.queries.ts'
import { queryOf } from '../search/words.ts'
import { ofStatus, type OrderFilter } from './order-filter.ts'
import {
  countFound,
  countListed,
  countsOf,
  findPositions,
  pageOf,
  POSITION,
  totalOf,
  type Found,
  type OrderQuery,
  type PageWanted,
  type StatusCounts,
} from './order-list.queries.ts'
import { orderBy, type OrderPosition, type OrderSort } from './order-sort.queries.ts'
import { isNarrowed, listedMatching, matching, type OrderSource, type Search } from './order-source.queries.ts'

/** A search counts and sorts this many matches. With more matches, it scans the list instead. */
export const COUNTED_BY_SEARCH = 10_000
/** When this few orders have the words, the words are looked up first, whatever the other conditions are. */
const FEW_WITH_WORDS = 2000
/**
 * When the other conditions leave fewer orders than this, each is checked for a common word; otherwise the word would
 * be looked up in all orders.
 */
const FEW_WITHOUT_WORDS = 20_000

/** @returns `nothing` when the input contains no word; undefined when there was no input */
export async function searchOf(db: Database, { filter, status }: OrderQuery): Promise<Search | 'nothing' | undefined> {
  if (filter.q === undefined) return undefined
  const words = queryOf(filter.q)
  if (words === undefined) return 'nothing'
  const search = { words, orderId: await findOrderId(db, filter.q), isCommon: false }
  // Without other conditions there is nothing else to search by.
  if (!isNarrowed(filter) && status === undefined) return search
  const withWords = await countFound(db, matching({}, search, 'newest'), FEW_WITH_WORDS)
  return { ...search, isCommon: withWords === FEW_WITH_WORDS }
}

/** A search with too many matches to count scans the list, and its total is the number counted so far. */
export async function findSearched(
  db: Database,
  { filter, status }: OrderQuery,
  search: Search | 'nothing',
  wanted: PageWanted,
): Promise<Found> {
  if (search === 'nothing') return { positions: [], total: 0, counts: countsOf({}) }
  const shownFilter = ofStatus(filter, status)
  const source = await searchSource(db, filter, search, wanted.sort)
  const { counts, positions, isWhole } = await readSearch(db, source, shownFilter?.statuses, wanted)
  if (shownFilter === undefined || isWhole)
    return { counts, total: totalOf(counts, shownFilter), positions: shownFilter ? positions : [] }
  const onward = await findPositions(db, listedMatching(shownFilter, search), wanted)
  if (status === undefined) return { counts, total: COUNTED_BY_SEARCH, positions: onward }
  const sourceOfStatus = await searchSource(db, shownFilter, search, wanted.sort)
  const total = await countFound(db, sourceOfStatus, COUNTED_BY_SEARCH)
  return { counts: { ...counts, [status]: total }, total, positions: onward }
}

/** By the words or by the other conditions, whichever leaves fewer orders to check. */
export async function searchSource(
  db: Database,
  filter: OrderFilter,
  search: Search,
  sort: OrderSort,
): Promise<OrderSource> {
  const byWords = matching(filter, search, sort)
  if (!isNarrowed(filter) || !search.isCommon) return byWords
  return (await countListed(db, filter, FEW_WITHOUT_WORDS)) < FEW_WITHOUT_WORDS
    ? listedMatching(filter, search)
    : byWords
}

/**
 * Counts the matches of a search by status and takes a page of them, reading its source once.
 * @param statuses of the page; undefined is all
 * @returns no positions, and only partial counts, when there are more matches than a search counts
 */
async function readSearch(
  db: Database,
  source: OrderSource,
  statuses: readonly OrderStatus[] | undefined,
  wanted: PageWanted,
): Promise<{ counts: StatusCounts; positions: OrderPosition[]; isWhole: boolean }> {
  const isWanted = statuses === undefined ? sql`true` : sql`found.status = any(${[...statuses]}::text[])`
  const shown = sql`select * from found where counted.total < ${COUNTED_BY_SEARCH} and ${isWanted}`
  type Row = { total: number; counts: Partial<StatusCounts> } & (OrderPosition | { id: null })
  const { rows } = await sql<Row>`
    with found as materialized (${source} limit ${COUNTED_BY_SEARCH}),
      by_status as (select status, count(*) as total from found group by status),
      counted as (
        select coalesce(sum(total), 0)::bigint as total, coalesce(jsonb_object_agg(status, total), '{}') as counts
        from by_status)
    select counted.total, counted.counts, ${POSITION}
    from counted left join lateral (${pageOf(shown, wanted)}) page on true
    order by ${orderBy(wanted.sort)} /* replan */`.execute(db)
  return {
    counts: countsOf(rows[0]?.counts ?? {}),
    isWhole: (rows[0]?.total ?? 0) < COUNTED_BY_SEARCH,
    positions: rows.flatMap((row) => (row.id === null ? [] : [row])),
  }
}
