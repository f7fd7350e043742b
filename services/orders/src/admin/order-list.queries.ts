import { sql, type RawBuilder } from 'kysely'
import type { OrderStatus } from '@storefront/contracts'
import type { Database } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import { COLUMNS, findOrderId } from '../orders/orders.queries.ts'
import { queryOf } from '../search/words.ts'

export interface OrderFilter {
  status: OrderStatus | undefined
  q: string | undefined
  isFlagged: boolean
  from: Date | undefined
  before: Date | undefined
}

/** An order's place in the list; the time as text with microseconds, which a Date would lose. */
export interface ListPlace {
  flagged: boolean
  placedAt: string
  id: string
}

export interface PageWanted {
  limit: number
  offset: number
  /** Only what stands behind this. */
  behind: ListPlace | undefined
}

interface OrderPage {
  orders: StoredOrder[]
  total: number
  next: ListPlace | undefined
}

/** The list is counted that far, by an index alone; `total` then says this number, and pages and cursors go on beyond. */
export const COUNTED_BY_LIST = 100_000
/** A search counts and sorts so many of what it has found. What is found more often is looked for along the list instead. */
export const COUNTED_BY_SEARCH = 10_000
/** Where other conditions leave no more than this, each is asked for the words: a common word would be looked up in all. */
const FEW = 2000

const NOTHING = { orders: [], total: 0, next: undefined }

/** Orders as the merchant sees them: those that need attention first, then the newest. */
export async function findOrderPage(db: Database, filter: OrderFilter, wanted: PageWanted): Promise<OrderPage> {
  if (filter.q === undefined) {
    const total = await countFound(db, listed(filter), COUNTED_BY_LIST)
    return { ...(await readPage(db, await findPlaces(db, listed(filter), wanted), wanted)), total }
  }
  const words = queryOf(filter.q)
  if (words === undefined) return NOTHING
  const search = { words, orderId: await findOrderId(db, filter.q) }
  const isAmongFew = isNarrowed(filter) && (await countFound(db, listed(filter), FEW)) < FEW
  const source = isAmongFew ? listedMatching(filter, search) : matching(filter, search)
  const { total, places } = await findCounted(db, source, wanted)
  const shown = total < COUNTED_BY_SEARCH ? places : await findPlaces(db, listedMatching(filter, search), wanted)
  return { ...(await readPage(db, shown, wanted)), total }
}

function isNarrowed({ isFlagged, from, before }: OrderFilter): boolean {
  return isFlagged || from !== undefined || before !== undefined
}

/** Read along the indexes of the list. */
const listed = (filter: OrderFilter) => sql`
  select o.id, (o.attention is not null) as flagged, o.placed_at from orders o where ${conditions(filter, ORDER)}`

interface Search {
  /** As a tsquery. */
  words: string
  /** The order whose number or id was typed: it is found before its words are known to the search. */
  orderId: string | undefined
}

/** Found by its words and sorted then: few that match would be looked for among all. */
const matching = (filter: OrderFilter, { words, orderId }: Search) => sql`
  select m.id, m.flagged, m.placed_at from (
    select s.order_id as id, s.flagged, s.placed_at from order_search s
    where s.words @@ ${words}::tsquery and ${conditions(filter, SEARCH_ROW)}
    ${orderId === undefined ? sql`` : sql`union all ${named(filter, words, orderId)}`} offset 0) m where true`

const named = (filter: OrderFilter, words: string, orderId: string) => sql`
  select o.id, (o.attention is not null), o.placed_at from orders o
  where o.id = ${orderId} and ${conditions(filter, ORDER)}
    and not exists (select from order_search s where s.order_id = o.id and s.words @@ ${words}::tsquery)`

/** Read along the list, each order by itself: with many that match, a page is soon full. */
const listedMatching = (filter: OrderFilter, { words, orderId }: Search) => sql`
  select o.id, (o.attention is not null) as flagged, o.placed_at from orders o
  cross join lateral (
    select 1 where o.id = ${orderId ?? null}::text
      or exists (select from order_search s where s.order_id = o.id and (s.words @@ ${words}::tsquery) is true) offset 0) m
  where ${conditions(filter, ORDER)}`

interface Names {
  status: RawBuilder<unknown>
  isFlagged: RawBuilder<unknown>
  placedAt: RawBuilder<unknown>
}
const ORDER: Names = {
  status: sql`o.status`,
  isFlagged: sql`o.attention is not null`,
  placedAt: sql`o.placed_at`,
}
const SEARCH_ROW: Names = { status: sql`s.status`, isFlagged: sql`s.flagged`, placedAt: sql`s.placed_at` }

function conditions({ status, isFlagged, from, before }: OrderFilter, names: Names): RawBuilder<unknown> {
  const all = [sql`true`]
  if (status !== undefined) all.push(sql`${names.status} = ${status}`)
  if (isFlagged) all.push(sql`${names.isFlagged}`)
  if (from !== undefined) all.push(sql`${names.placedAt} >= ${from}::timestamptz`)
  if (before !== undefined) all.push(sql`${names.placedAt} < ${before}::timestamptz`)
  return sql.join(all, sql` and `)
}

/** One more than the page holds tells whether there is another one. */
async function findPlaces(db: Database, source: RawBuilder<unknown>, wanted: PageWanted): Promise<ListPlace[]> {
  const { rows } = await sql<ListPlace>`
    select id, flagged, ${PLACED_AT} as "placedAt" from (${pageOf(source, wanted)}) page
    order by flagged desc, page.placed_at desc, id desc /* plan anew */`.execute(db)
  return rows
}

/** The same, and how many there are, of a source that is read once; no places when there are more than a search counts. */
async function findCounted(
  db: Database,
  source: RawBuilder<unknown>,
  wanted: PageWanted,
): Promise<{ total: number; places: ListPlace[] }> {
  const { rows } = await sql<{ total: number } & (ListPlace | { id: null })>`
    with found as materialized (${source} limit ${COUNTED_BY_SEARCH}),
      counted as (select count(*) as total from found)
    select counted.total, page.id, page.flagged, ${PLACED_AT} as "placedAt"
    from counted left join lateral (
      ${pageOf(sql`select * from found where counted.total < ${COUNTED_BY_SEARCH}`, wanted)}) page on true
    order by flagged desc, page.placed_at desc, id desc /* plan anew */`.execute(db)
  return { total: rows[0]?.total ?? 0, places: rows.flatMap((row) => (row.id === null ? [] : [row])) }
}

// What is passed over is not formatted: that would be most of the cost of a late page.
const PLACED_AT = sql`to_char(page.placed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

function pageOf(source: RawBuilder<unknown>, { limit, offset, behind }: PageWanted): RawBuilder<unknown> {
  const from = behind
    ? sql`and (flagged, placed_at, id) < (${behind.flagged}, ${behind.placedAt}::timestamptz, ${behind.id})`
    : sql``
  return sql`
    select id, flagged, placed_at from (${source}) found where true ${from}
    order by flagged desc, placed_at desc, id desc limit ${limit + 1} offset ${offset}`
}

async function readPage(
  db: Database,
  places: readonly ListPlace[],
  { limit }: PageWanted,
): Promise<Omit<OrderPage, 'total'>> {
  const shown = places.slice(0, limit)
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where id = any(${shown.map((place) => place.id)})
    order by (attention is not null) desc, placed_at desc, id desc`.execute(db)
  return { orders: rows, next: places.length > limit ? shown.at(-1) : undefined }
}

/** How many there are, and no more than `atMost`. */
async function countFound(db: Database, source: RawBuilder<unknown>, atMost: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select 1 from (${source}) found limit ${atMost}) counted /* plan anew */`.execute(db)
  return rows[0]?.total ?? 0
}
