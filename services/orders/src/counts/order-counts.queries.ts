import { DAY_MS } from '@storefront/service'
import { sql, type RawBuilder } from 'kysely'
import type { OrderStatus } from '@storefront/contracts'
import type { OrderFilter } from '../admin/order-filter.ts'
import type { Database } from '../database.ts'

/** The filters for which counts are kept. */
type CountFilter = Pick<OrderFilter, 'statuses' | 'payment' | 'country' | 'attention' | 'from' | 'before'>

interface OrderCounts {
  /** Of the orders that pass the filter. */
  byStatus: { status: OrderStatus; total: number }[]
  /** Of all orders in its range of time. */
  everything: number
}

/** Counts orders by status, whatever their number: changes that are not added to the counts yet are added here. */
export async function countOrdersByStatus(db: Database, filter: CountFilter): Promise<OrderCounts> {
  const source = filter.from === undefined && filter.before === undefined ? TOTALS : countsByDay(filter)
  const { rows } = await sql<{ status: OrderStatus; total: number; everything: number }>`
    select status, coalesce(sum(orders) filter (where ${isOfKind(filter)}), 0)::bigint as total, sum(orders)::bigint as everything
    from (${source}) counted group by status /* replan */`.execute(db)
  return {
    byStatus: rows.map(({ status, total }) => ({ status, total })),
    everything: rows.reduce((sum, { everything }) => sum + everything, 0),
  }
}

/** The number of orders of one day. A list sorted by attention counts those that need attention separately. */
interface CountedDay {
  day: string
  flagged: boolean
  orders: number
  /** The sum of all days up to this one. */
  running: number
}

/**
 * Days with orders that pass the filter, in the order of a list.
 * @param options.skip how many orders of the list are left out at its beginning
 * @param options.take how many orders the days must have after these
 * @param options.start the day, and the part of the list, to begin with
 */
export async function findCountedDays(
  db: Database,
  filter: CountFilter,
  options: {
    byAttention: boolean
    direction: 'asc' | 'desc'
    skip: number
    take: number
    start: { day: string; flagged: boolean } | undefined
  },
): Promise<CountedDay[]> {
  const { byAttention, direction, skip, take, start } = options
  const flagged = byAttention ? sql`attention <> ''` : sql`false`
  const order = sql`flagged ${sql.raw(direction)}, day ${sql.raw(direction)}`
  const isFromStart =
    start === undefined
      ? sql`true`
      : sql`(flagged, day) ${sql.raw(direction === 'asc' ? '>=' : '<=')} (${byAttention && start.flagged}::boolean, ${start.day}::date)`
  const { rows } = await sql<CountedDay>`
    with days as (
      select day, ${flagged} as flagged, sum(orders) as orders
      from (${countsByDay(filter)}) counted where ${isOfKind(filter)} group by 1, 2 having sum(orders) > 0
    ), summed as (
      select day, flagged, orders, sum(orders) over sorted as running, first_value(orders) over sorted as first_orders
      from days where ${isFromStart} window sorted as (order by ${order})
    )
    select day::text as day, flagged, orders::bigint as orders, running::bigint as running from summed
    where running > ${skip} and running - orders < ${skip + take}::bigint + ${start === undefined ? sql`0` : sql`first_orders`}
    order by ${order} /* replan */`.execute(db)
  return rows
}

const KIND = sql`country, status, payment_status, attention, orders`
const TOTALS = sql`select ${KIND} from order_count_totals union all select ${KIND} from order_count_changes`

/** Counts by day of a range of time. On days that are only partly in the range, the orders are counted one by one. */
function countsByDay({ from, before }: CountFilter): RawBuilder<unknown> {
  const firstDay = from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const dayAfter = before && new Date(Math.floor(before.getTime() / DAY_MS) * DAY_MS)
  const hasNoWholeDay = firstDay && dayAfter && firstDay >= dayAfter
  if (from && before && hasNoWholeDay) return countedOneByOne(from, before)
  const isWhole = sql.join(
    [
      sql`true`,
      ...(firstDay ? [sql`day >= utc_day(${firstDay}::timestamptz)`] : []),
      ...(dayAfter ? [sql`day < utc_day(${dayAfter}::timestamptz)`] : []),
    ],
    sql` and `,
  )
  return sql.join(
    [
      sql`select day, ${KIND} from order_count_days where ${isWhole}`,
      sql`select day, ${KIND} from order_count_changes where ${isWhole}`,
      ...(from && firstDay && from < firstDay ? [countedOneByOne(from, firstDay)] : []),
      ...(before && dayAfter && dayAfter < before ? [countedOneByOne(dayAfter, before)] : []),
    ],
    sql` union all `,
  )
}

function countedOneByOne(from: Date, before: Date): RawBuilder<unknown> {
  return sql`
    select utc_day(placed_at) as day, country, status, payment_status, coalesce(attention, '') as attention, 1 as orders
    from orders where placed_at >= ${from}::timestamptz and placed_at < ${before}::timestamptz`
}

function isOfKind({ statuses, payment, country, attention }: CountFilter): RawBuilder<unknown> {
  return sql.join(
    [
      sql`true`,
      ...(statuses === undefined ? [] : [sql`status = any(${[...statuses]}::text[])`]),
      ...(payment === undefined ? [] : [sql`payment_status = ${payment}`]),
      ...(country === undefined ? [] : [sql`country = ${country}`]),
      ...(attention === undefined ? [] : [attention === 'any' ? sql`attention <> ''` : sql`attention = ${attention}`]),
    ],
    sql` and `,
  )
}
