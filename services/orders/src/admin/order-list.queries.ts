import { sql } from 'kysely'
import { ORDER_STATUSES, type OrderStatus } from '@storefront/contracts'
import type { Database } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import { COLUMNS, findOrderId } from '../orders/orders.queries.ts'
import { queryOf } from '../search/words.ts'
import { countOrdersByStatus, findCountedDays } from '../counts/order-counts.queries.ts'
import { EVERY_ORDER, ofStatus, type OrderFilter } from './order-filter.ts'
import { isAfter, orderBy, timeSortOf, type ListPlace, type OrderSort } from './order-sort.queries.ts'
import {
  conditionsOfOrder,
  isNarrowed,
  listed,
  listedMatching,
  listedOn,
  matching,
  type OrderSource,
  type Search,
} from './order-source.queries.ts'

export interface PageWanted {
  sort: OrderSort
  limit: number
  offset: number
  /** Only what comes after this. */
  after: ListPlace | undefined
}

export type StatusCounts = Record<OrderStatus, number>

/** Which orders are wanted: a filter, and separately the status, which does not affect the counts. */
export interface OrderQuery {
  filter: OrderFilter
  status: OrderStatus | undefined
}

export interface OrderBatch {
  orders: StoredOrder[]
  /** Where the next batch starts; undefined after the last. */
  next: ListPlace | undefined
}

interface Found {
  places: ListPlace[]
  /** Of the requested status, if the query has one. */
  total: number
  /** By status, as if the query had no status filter. */
  counts: StatusCounts
}

/**
 * With a customer or a tag, each status is counted up to this number; `total` then shows this number, and pages and cursors
 * continue beyond it.
 */
export const COUNTED_BY_LIST = 100_000
/** When a page is expected to pass more orders than this along an index, its days are looked up first: that takes as long. */
const FAR = 20_000
/** A search counts and sorts this many matches. With more matches, it scans the list instead. */
export const COUNTED_BY_SEARCH = 10_000
/** When this few orders have the words, the words are looked up first, whatever the other conditions are. */
const FEW_WITH_WORDS = 2000
/**
 * When the other conditions leave fewer orders than this, each is checked for a common word; otherwise the word would
 * be looked up in all orders.
 */
const FEW_WITHOUT_WORDS = 20_000

/** A page of orders as the merchant sees them, and the counts. */
export async function findOrderPage(
  db: Database,
  query: OrderQuery,
  wanted: PageWanted,
): Promise<OrderBatch & Omit<Found, 'places'>> {
  const search = await searchOf(db, query)
  const { places, ...counted } =
    search === undefined ? await findListed(db, query, wanted) : await findSearched(db, query, search, wanted)
  return { ...(await readBatch(db, places, wanted.limit)), ...counted }
}

/** The source of all wanted orders, for reading them in batches; undefined when none can match. */
export async function findSource(db: Database, query: OrderQuery, sort: OrderSort): Promise<OrderSource | undefined> {
  const shownFilter = ofStatus(query.filter, query.status)
  const search = await searchOf(db, query)
  if (shownFilter === undefined || search === 'nothing') return undefined
  if (search === undefined) return listed(shownFilter)
  const source = await searchSource(db, shownFilter, search, sort)
  return (await countFound(db, source, COUNTED_BY_SEARCH)) < COUNTED_BY_SEARCH
    ? source
    : listedMatching(shownFilter, search)
}

/** The next orders of a source. */
export async function readOnward(
  db: Database,
  source: OrderSource,
  { sort, limit, after }: Omit<PageWanted, 'offset'>,
): Promise<OrderBatch> {
  return readBatch(db, await findPlaces(db, source, { sort, limit, after, offset: 0 }), limit)
}

async function findListed(db: Database, { filter, status }: OrderQuery, wanted: PageWanted): Promise<Found> {
  const shownFilter = ofStatus(filter, status)
  if (hasFew(filter)) return findOfFew(db, filter, shownFilter, wanted)
  const { byStatus, everything } = await countOrdersByStatus(db, filter)
  const counts = countsOf(Object.fromEntries(byStatus.map(({ status, total }) => [status, total])))
  const total = totalOf(counts, shownFilter)
  if (shownFilter === undefined || total === 0) return { counts, total, places: [] }
  const isFar = (passedBy(wanted) / total) * everything > FAR
  const find = isFar ? findFarPlaces : findListedPlaces
  return { counts, total, places: await find(db, shownFilter, wanted, total) }
}

/** How many orders of the list a page needs: those before it, its own, and the one that shows whether there is another page. */
const passedBy = ({ offset, limit }: PageWanted) => offset + limit + 1

const findListedPlaces = (db: Database, filter: OrderFilter, wanted: PageWanted) =>
  findPlaces(db, listed(filter), wanted)

/**
 * A page that is far down the list, or whose filter hardly any order passes: the counts say on which days its orders were
 * placed, and only these are read.
 */
async function findFarPlaces(
  db: Database,
  filter: OrderFilter,
  wanted: PageWanted,
  total: number,
): Promise<ListPlace[]> {
  const { sort, offset, limit, after } = wanted
  const byTime = timeSortOf(sort)
  // Sorted by another value, a page may have orders of any day.
  if (byTime === undefined)
    return offset > total / 2 ? findLatePlaces(db, filter, wanted, total) : findListedPlaces(db, filter, wanted)
  const days = await findCountedDays(db, filter, {
    ...byTime,
    skip: after === undefined ? offset : 0,
    take: limit + 1,
    start: after && { day: after.placedAt.slice(0, 10), flagged: after.flagged },
  })
  const [first] = days
  if (first === undefined) return []
  const skipped = after === undefined ? offset - (first.running - first.orders) : 0
  return findPlaces(db, listedOn(filter, days, byTime), { ...wanted, offset: skipped })
}

/** A page of the second half of a list, which is nearer to its end. */
async function findLatePlaces(
  db: Database,
  filter: OrderFilter,
  { sort, offset, limit }: PageWanted,
  total: number,
): Promise<ListPlace[]> {
  const count = Math.min(limit + 1, total - offset)
  if (count <= 0) return []
  const { rows } = await sql<ListPlace>`
    select ${PLACE} from (
      select id, flagged, placed_at, total_minor from (${listed(filter)}) found
      order by ${orderBy(sort, 'end')} limit ${count} offset ${total - offset - count}) page
    order by ${orderBy(sort)} /* replan */`.execute(db)
  return rows
}

/** A page of few orders, which are counted one by one. */
async function findOfFew(
  db: Database,
  filter: OrderFilter,
  shownFilter: OrderFilter | undefined,
  wanted: PageWanted,
): Promise<Found> {
  const counts = await countByStatus(db, filter)
  const total = Math.min(COUNTED_BY_LIST, totalOf(counts, shownFilter))
  return { counts, total, places: shownFilter && total > 0 ? await findListedPlaces(db, shownFilter, wanted) : [] }
}

/** A search with too many matches to count scans the list, and its total is the number counted so far. */
async function findSearched(
  db: Database,
  { filter, status }: OrderQuery,
  search: Search | 'nothing',
  wanted: PageWanted,
): Promise<Found> {
  if (search === 'nothing') return { places: [], total: 0, counts: countsOf({}) }
  const shownFilter = ofStatus(filter, status)
  const source = await searchSource(db, filter, search, wanted.sort)
  const { counts, places, isWhole } = await readSearch(db, source, shownFilter?.statuses, wanted)
  if (shownFilter === undefined || isWhole)
    return { counts, total: totalOf(counts, shownFilter), places: shownFilter ? places : [] }
  const onward = await findPlaces(db, listedMatching(shownFilter, search), wanted)
  if (status === undefined) return { counts, total: COUNTED_BY_SEARCH, places: onward }
  const sourceOfStatus = await searchSource(db, shownFilter, search, wanted.sort)
  const total = await countFound(db, sourceOfStatus, COUNTED_BY_SEARCH)
  return { counts: { ...counts, [status]: total }, total, places: onward }
}

/** By the words or by the other conditions, whichever leaves fewer orders to check. */
async function searchSource(db: Database, filter: OrderFilter, search: Search, sort: OrderSort): Promise<OrderSource> {
  const byWords = matching(filter, search, sort)
  if (!isNarrowed(filter) || !search.isCommon) return byWords
  return (await countWithoutWords(db, filter)) < FEW_WITHOUT_WORDS ? listedMatching(filter, search) : byWords
}

async function countWithoutWords(db: Database, filter: OrderFilter): Promise<number> {
  if (hasFew(filter)) return countFound(db, listed(filter), FEW_WITHOUT_WORDS)
  const { byStatus } = await countOrdersByStatus(db, filter)
  return byStatus.reduce((sum, { total }) => sum + total, 0)
}

/** Of a customer, or with a tag, there are few orders: they are found by an index. The counts know neither. */
const hasFew = ({ customer, tag }: OrderFilter) => customer !== undefined || tag !== undefined

function totalOf(counts: StatusCounts, shownFilter: OrderFilter | undefined): number {
  if (shownFilter === undefined) return 0
  return (shownFilter.statuses ?? ORDER_STATUSES).reduce((sum, status) => sum + counts[status], 0)
}

function countsOf(found: Partial<StatusCounts>): StatusCounts {
  return { placed: 0, paid: 0, fulfilled: 0, delivered: 0, cancelled: 0, ...found }
}

/** @returns `nothing` when the input contains no word; undefined when there was no input */
async function searchOf(db: Database, { filter, status }: OrderQuery): Promise<Search | 'nothing' | undefined> {
  if (filter.q === undefined) return undefined
  const words = queryOf(filter.q)
  if (words === undefined) return 'nothing'
  const search = { words, orderId: await findOrderId(db, filter.q), isCommon: false }
  // Without other conditions there is nothing else to search by.
  if (!isNarrowed(filter) && status === undefined) return search
  const found = await countFound(db, matching(EVERY_ORDER, search, 'newest'), FEW_WITH_WORDS)
  return { ...search, isCommon: found === FEW_WITH_WORDS }
}

/** The number of orders of each status, up to a limit each. */
async function countByStatus(db: Database, filter: OrderFilter): Promise<StatusCounts> {
  const { statuses = ORDER_STATUSES } = filter
  const { rows } = await sql<{ status: OrderStatus; total: number }>`
    select wanted.status, counted.total from unnest(${[...statuses]}::text[]) as wanted (status)
    cross join lateral (
      select count(*) as total from (
        select 1 from orders o
        where o.status = wanted.status and ${conditionsOfOrder({ ...filter, statuses: undefined })}
        limit ${COUNTED_BY_LIST}) found) counted /* replan */`.execute(db)
  return countsOf(Object.fromEntries(rows.map(({ status, total }) => [status, total])))
}

/**
 * Counts the matches of a search by status and takes a page of them, reading its source once.
 * @param statuses of the page; undefined is all
 * @returns no places, and only partial counts, when there are more matches than a search counts
 */
async function readSearch(
  db: Database,
  source: OrderSource,
  statuses: readonly OrderStatus[] | undefined,
  wanted: PageWanted,
): Promise<{ counts: StatusCounts; places: ListPlace[]; isWhole: boolean }> {
  const isWanted = statuses === undefined ? sql`true` : sql`found.status = any(${[...statuses]}::text[])`
  const shown = sql`select * from found where counted.total < ${COUNTED_BY_SEARCH} and ${isWanted}`
  type Row = { total: number; counts: Partial<StatusCounts> } & (ListPlace | { id: null })
  const { rows } = await sql<Row>`
    with found as materialized (${source} limit ${COUNTED_BY_SEARCH}),
      by_status as (select status, count(*) as total from found group by status),
      counted as (
        select coalesce(sum(total), 0)::bigint as total, coalesce(jsonb_object_agg(status, total), '{}') as counts
        from by_status)
    select counted.total, counted.counts, ${PLACE}
    from counted left join lateral (${pageOf(shown, wanted)}) page on true
    order by ${orderBy(wanted.sort)} /* replan */`.execute(db)
  return {
    counts: countsOf(rows[0]?.counts ?? {}),
    isWhole: (rows[0]?.total ?? 0) < COUNTED_BY_SEARCH,
    places: rows.flatMap((row) => (row.id === null ? [] : [row])),
  }
}

/** One more than the page holds shows whether there is another page. */
async function findPlaces(db: Database, source: OrderSource, wanted: PageWanted): Promise<ListPlace[]> {
  const { rows } = await sql<ListPlace>`
    select ${PLACE} from (${pageOf(source, wanted)}) page order by ${orderBy(wanted.sort)} /* replan */`.execute(db)
  return rows
}

// Skipped rows are not formatted: that would be most of the cost of a late page.
const PLACE = sql`page.id, page.flagged, page.total_minor as "totalMinor",
  to_char(page.placed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "placedAt"`

function pageOf(source: OrderSource, { sort, limit, offset, after }: PageWanted): OrderSource {
  return sql`
    select id, flagged, placed_at, total_minor from (${source}) found
    where ${after === undefined ? sql`true` : isAfter(sort, after)}
    order by ${orderBy(sort)} limit ${limit + 1} offset ${offset}`
}

async function readBatch(db: Database, places: readonly ListPlace[], limit: number): Promise<OrderBatch> {
  const shown = places.slice(0, limit)
  const ids = shown.map((place) => place.id)
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where id = any(${ids}::text[])
    order by array_position(${ids}::text[], id)`.execute(db)
  return { orders: rows, next: places.length > limit ? shown.at(-1) : undefined }
}

/** How many there are, up to `atMost`. */
async function countFound(db: Database, source: OrderSource, atMost: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select 1 from (${source}) found limit ${atMost}) counted /* replan */`.execute(db)
  return rows[0]?.total ?? 0
}
