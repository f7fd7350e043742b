import type { Pool, QueryResultRow } from 'pg'
import { daysOfPage, mergePages, type DayCount, type Position } from './merged-orders.ts'

export type Servers = readonly { pool: Pool }[]

/** Of a shop before it was divided. */
export interface Subject {
  orders: number
  customerId: string
  number: string
  /** An order with a captured payment. */
  paidOrderId: string
  /** An order in the middle of the list. */
  middle: Position
}

export const SHOWN = 25
const SORT = 'flagged desc, placed_at desc, id desc'
const listed = (table: string) => `select id, attention is not null as flagged, placed_at from ${table}`

/** The positions of $1 orders of a source, sorted as the merchant's list. */
const pageOf = (source: string, offset = 0) => `
  select id, flagged, to_char(placed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "placedAt"
  from (select * from (${source}) found order by ${SORT} limit $1 offset ${offset}) page order by ${SORT}`

/** @param table of one server, or one that is divided over several */
export const pageSql = (table: string, offset = 0) => pageOf(listed(table), offset)
export const byNumberSql = (table: string) => `select id from ${table} where id = $1 or lower(number) = lower($1)`

const AFTER = pageOf(
  `${listed('orders')} where (attention is not null, placed_at, id) < ($2::boolean, $3::timestamptz, $4)`,
)
const OF_DAYS = pageOf(`
  select m.* from unnest($2::date[], $3::boolean[]) as wanted (day, flagged) cross join lateral (
    ${listed('orders')} where placed_at >= wanted.day::timestamp at time zone 'utc'
      and placed_at < (wanted.day + 1)::timestamp at time zone 'utc'
      and (attention is not null) = wanted.flagged offset 0) m`)
const OF_CUSTOMER = pageOf('select id, false as flagged, placed_at from orders where customer_id = $2')
const SEARCH = pageOf('select order_id as id, flagged, placed_at from order_search where words @@ $2::tsquery')

const DAY_COUNTS = `
  select day::text as day, attention <> '' as flagged, sum(orders)::int as orders from (
    select day, attention, orders from order_count_days
    union all select day, attention, orders from order_count_changes) counted
  group by 1, 2 having sum(orders) > 0`

const ORDERS = `
  select o.*, (select jsonb_agg(r order by r.created_at, r.id) from refunds r where r.order_id = o.id) as refunds,
    (select jsonb_agg(f order by f.number) from fulfilments f where f.order_id = o.id) as fulfilments
  from orders o where o.id = any($1::text[])`

/** Three comparisons of the service, of all orders and not only those of the last days. */
const RECONCILIATION = `
  select provider || ' ' || reference as id from payments where status = 'captured' and order_id is null
  union all
  select o.id from orders o where o.captured_minor > 0 and not exists (
    select 1 from payments p where p.provider = o.payment_provider and p.reference = o.payment_reference
      and p.order_id = o.id and p.status = 'captured' and p.amount_minor = o.captured_minor)
  union all
  select o.id from orders o where o.refunded_minor <> coalesce((
    select sum(r.amount_minor) from refunds r
    where r.order_id = o.id and r.status = 'succeeded' and not r.of_duplicate), 0)`

export async function readSubject({ pool }: { pool: Pool }): Promise<Subject> {
  const { rows } = await pool.query<Omit<Subject, 'middle'>>(`
    select (select count(*) from orders)::int as orders,
      (select number from orders order by placed_at limit 1) as number,
      (select customer_id from orders where customer_id is not null group by 1 order by count(*) desc, 1 limit 1)
        as "customerId",
      (select min(order_id) from payments where status = 'captured') as "paidOrderId"`)
  const [subject] = rows
  const text = pageSql('orders', Math.floor((subject?.orders ?? 0) / 2))
  const [middle] = (await pool.query<Position>(text, [1])).rows
  if (subject === undefined || middle === undefined) throw new Error('the shop has no orders')
  return { ...subject, middle }
}

/** Reads of a merchant and of a customer: the essential statements of the service. They return ids of orders. */
export function readsOf({ orders, customerId, number, middle }: Subject) {
  const skip = Math.floor(orders / 2)
  const { flagged, placedAt, id } = middle
  const reads: Record<string, (servers: Servers) => Promise<string[]>> = {
    'an order by its number of before the split': (servers) => findByNumber(servers, number),
    'first page of the list': firstPage,
    [`page ${Math.ceil(skip / SHOWN)} of it`]: (servers) => pageByNumber(servers, skip),
    'the same by cursor': (servers) => list(servers, AFTER, [flagged, placedAt, id]),
    'orders of a customer': (servers) => list(servers, OF_CUSTOMER, [customerId]),
    'search by a first name': (servers) => list(servers, SEARCH, [`'zoe':*`]),
    'search by a whole name': (servers) => list(servers, SEARCH, [`'zoe':* & 'zimsen':*`]),
    'reconciliation of all orders': reconcile,
  }
  return Object.entries(reads)
}

/** @param servers the one that gave out the number, or all of them */
export const findByNumber = (servers: Servers, number: string) => idsOn(servers, byNumberSql('orders'), [number])

export const firstPage = (servers: Servers) => list(servers, pageSql('orders'))

/** The findings of all servers: each compares the orders that it has. */
export const reconcile = (servers: Servers) => idsOn(servers, RECONCILIATION)

/** As in the service, the counts of the days show which of them have the page. */
async function pageByNumber(servers: Servers, skip: number): Promise<string[]> {
  const counts = await onAll<DayCount>(servers, DAY_COUNTS)
  const { days, skip: left } = daysOfPage(counts.flat(), skip, SHOWN)
  return list(servers, OF_DAYS, [days.map(({ day }) => day), days.map(({ flagged }) => flagged)], left)
}

/** Merges the positions of a page, and reads its orders where they are. */
async function list(servers: Servers, text: string, values: unknown[] = [], skip = 0): Promise<string[]> {
  const parts = await onAll<Position>(servers, text, [skip + SHOWN, ...values])
  const page = mergePages(parts, skip, SHOWN)
  await Promise.all(
    servers.map(async ({ pool }, place) => {
      const here = page.filter((order) => parts[place]?.includes(order)).map(({ id }) => id)
      if (here.length > 0) await pool.query(ORDERS, [here])
    }),
  )
  return page.map(({ id }) => id)
}

async function idsOn(servers: Servers, text: string, values?: unknown[]): Promise<string[]> {
  const parts = await onAll<{ id: string }>(servers, text, values)
  return parts.flatMap((rows) => rows.map(({ id }) => id)).toSorted()
}

function onAll<Row extends QueryResultRow>(servers: Servers, text: string, values: unknown[] = []): Promise<Row[][]> {
  return Promise.all(servers.map(async ({ pool }) => (await pool.query<Row>(text, values)).rows))
}
