import { sql } from 'kysely'
import { ORDER_STATUSES, type OrderStatus } from '@storefront/contracts'
import { countOrdersByStatus, findCountedDays } from '../counts/order-counts.queries.ts'
import type { Database } from '../database.ts'
import { ofStatus, type OrderFilter } from './order-filter.ts'
import { isAfter, orderBy, timeSortOf, type OrderPosition, type OrderSort } from './order-sort.queries.ts'
import { conditionsOfOrder, listed, listedOn, type OrderSource } from './order-source.queries.ts'

export interface PageWanted {
  sort: OrderSort
  limit: number
  offset: number
  /** Only what comes after this. */
  after: OrderPosition | undefined
}

export type StatusCounts = Record<OrderStatus, number>

/** Which orders are wanted: a filter, and separately the status, which does not affect the counts. */
export interface OrderQuery {
  filter: OrderFilter
  status: OrderStatus | undefined
}

export interface Found {
  positions: OrderPosition[]
  /** Of the requested status, if the query has one. */
  total: number
  /** By status, as if the query had no status filter. */
  counts: StatusCounts
}

/**
 * With a customer or a tag, each status is counted up to this number; `total` then shows this number, and pages and
 * cursors continue beyond it.
 */
export const COUNTED_BY_LIST = 100_000
/** A page that would skip more orders than this along an index looks up its days first, which takes about as long. */
const FAR = 20_000

export async function findListed(db: Database, { filter, status }: OrderQuery, wanted: PageWanted): Promise<Found> {
  const shownFilter = ofStatus(filter, status)
  if (hasFew(filter)) return findOfFew(db, filter, shownFilter, wanted)
  const { byStatus, everything } = await countOrdersByStatus(db, filter)
  const counts = countsOf(Object.fromEntries(byStatus.map(({ status, total }) => [status, total])))
  const total = totalOf(counts, shownFilter)
  if (shownFilter === undefined || total === 0) return { counts, total, positions: [] }
  const isFar = (passedBy(wanted) / total) * everything > FAR
  const find = isFar ? findFarPositions : findListedPositions
  return { counts, total, positions: await find(db, shownFilter, wanted, total) }
}

/**
 * How many orders of the list a page needs: those before it, its own, and the one that shows whether there is another
 * page.
 */
const passedBy = ({ offset, limit }: PageWanted) => offset + limit + 1

const findListedPositions = (db: Database, filter: OrderFilter, wanted: PageWanted) =>
  findPositions(db, listed(filter), wanted)

/**
 * A page far down the list, or with a filter that few orders match: the counts show on which days its orders were
 * placed, and only those days are read.
 */
async function findFarPositions(
  db: Database,
  filter: OrderFilter,
  wanted: PageWanted,
  total: number,
): Promise<OrderPosition[]> {
  const { sort, offset, limit, after } = wanted
  const byTime = timeSortOf(sort)
  // Sorted by another value, a page may have orders of any day.
  if (byTime === undefined)
    return offset > total / 2 ? findLatePositions(db, filter, wanted, total) : findListedPositions(db, filter, wanted)
  const days = await findCountedDays(db, filter, {
    ...byTime,
    skip: after === undefined ? offset : 0,
    take: limit + 1,
    start: after && { day: after.placedAt.slice(0, 10), flagged: after.flagged },
  })
  const [first] = days
  if (first === undefined) return []
  const skipped = after === undefined ? offset - (first.running - first.orders) : 0
  return findPositions(db, listedOn(filter, days, byTime), { ...wanted, offset: skipped })
}

/** A page of the second half of a list, which is nearer to its end. */
async function findLatePositions(
  db: Database,
  filter: OrderFilter,
  { sort, offset, limit }: PageWanted,
  total: number,
): Promise<OrderPosition[]> {
  const count = Math.min(limit + 1, total - offset)
  if (count <= 0) return []
  const { rows } = await sql<OrderPosition>`
    select ${POSITION} from (
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
  const positions = shownFilter && total > 0 ? await findListedPositions(db, shownFilter, wanted) : []
  return { counts, total, positions }
}

/** How many orders match a filter without words. With a customer or a tag, they are counted up to `atMost`. */
export async function countListed(db: Database, filter: OrderFilter, atMost: number): Promise<number> {
  if (hasFew(filter)) return countFound(db, listed(filter), atMost)
  const { byStatus } = await countOrdersByStatus(db, filter)
  return byStatus.reduce((sum, { total }) => sum + total, 0)
}

/** A customer or a tag has few orders, which an index finds. No counts are kept by customer or tag. */
const hasFew = ({ customer, tag }: OrderFilter) => customer !== undefined || tag !== undefined

export function totalOf(counts: StatusCounts, shownFilter: OrderFilter | undefined): number {
  if (shownFilter === undefined) return 0
  return (shownFilter.statuses ?? ORDER_STATUSES).reduce((sum, status) => sum + counts[status], 0)
}

export function countsOf(found: Partial<StatusCounts>): StatusCounts {
  return { placed: 0, paid: 0, fulfilled: 0, delivered: 0, cancelled: 0, ...found }
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

/** One more than the page holds shows whether there is another page. */
export async function findPositions(db: Database, source: OrderSource, wanted: PageWanted): Promise<OrderPosition[]> {
  const { rows } = await sql<OrderPosition>`
    select ${POSITION} from (${pageOf(source, wanted)}) page order by ${orderBy(wanted.sort)} /* replan */`.execute(db)
  return rows
}

// Skipped rows are not formatted: that would be most of the cost of a late page.
export const POSITION = sql`page.id, page.flagged, page.total_minor as "totalMinor",
  to_char(page.placed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "placedAt"`

export function pageOf(source: OrderSource, { sort, limit, offset, after }: PageWanted): OrderSource {
  return sql`
    select id, flagged, placed_at, total_minor from (${source}) found
    where ${after === undefined ? sql`true` : isAfter(sort, after)}
    order by ${orderBy(sort)} limit ${limit + 1} offset ${offset}`
}

/** How many there are, up to `atMost`. */
export async function countFound(db: Database, source: OrderSource, atMost: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select 1 from (${source}) found limit ${atMost}) counted /* replan */`.execute(db)
  return rows[0]?.total ?? 0
}
