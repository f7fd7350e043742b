import { sql, type RawBuilder } from 'kysely'
import { isOneOf } from '@storefront/postgres'
import { guestOrdersOf } from '../customers/customers.queries.ts'
import type { OrderFilter } from './order-filter.ts'
import { needsTotal, type OrderSort } from './order-sort.queries.ts'

/**
 * Rows of orders with the columns that a list is sorted and counted by: `id, flagged, placed_at, total_minor, status`.
 */
export type OrderSource = RawBuilder<unknown>

export interface Search {
  /** As a tsquery. */
  words: string
  /** The order whose number or id was typed: it is found before the search index has its words. */
  orderId: string | undefined
  /** Whether so many orders have the words that the other conditions should be used first. */
  isCommon: boolean
}

/** Orders that match the filter, read along the indexes of the list. */
export const listed = (filter: OrderFilter): OrderSource => sql`
  select o.id, (o.attention is not null) as flagged, o.placed_at, o.total_minor, o.status
  from orders o where ${conditions(filter, ORDER)}`

/** The same for these days only. `offset 0` makes the planner read day by day instead of the whole list. */
export const listedOn = (
  filter: OrderFilter,
  days: readonly { day: string; flagged: boolean }[],
  { byAttention }: { byAttention: boolean },
): OrderSource => sql`
  select m.id, m.flagged, m.placed_at, m.total_minor, m.status
  from unnest(${days.map(({ day }) => day)}::date[], ${days.map(({ flagged }) => flagged)}::boolean[]) as wanted (day, flagged)
    cross join lateral (
      select o.id, (o.attention is not null) as flagged, o.placed_at, o.total_minor, o.status from orders o
      where o.placed_at >= wanted.day::timestamp at time zone 'utc'
        and o.placed_at < (wanted.day + 1)::timestamp at time zone 'utc'
        ${byAttention ? sql`and (o.attention is not null) = wanted.flagged` : sql``} and ${conditions(filter, ORDER)}
      offset 0) m`

/** Orders found by their words and sorted afterwards: reading along the list would be slow with few matches. */
export const matching = (filter: OrderFilter, { words, orderId }: Search, sort: OrderSort): OrderSource => sql`
  select m.id, m.flagged, m.placed_at, m.total_minor, m.status from (
    select s.order_id as id, s.flagged, s.placed_at, s.status, ${needsTotal(sort) ? TOTAL_OF_ROW : sql`0::bigint`} as total_minor
    from order_search s where s.words @@ ${words}::tsquery and ${conditions(filter, SEARCH_ROW)}
    ${orderId === undefined ? sql`` : sql`union all ${named(filter, words, orderId)}`} offset 0) m`

const TOTAL_OF_ROW = sql`(select o.total_minor from orders o where o.id = s.order_id)`

const named = (filter: OrderFilter, words: string, orderId: string) => sql`
  select o.id, (o.attention is not null), o.placed_at, o.status, o.total_minor from orders o
  where o.id = ${orderId} and ${conditions(filter, ORDER)}
    and not exists (select from order_search s where s.order_id = o.id and s.words @@ ${words}::tsquery)`

/** Orders read along the list, each checked for the words: with many matches, a page is soon full. */
export const listedMatching = (filter: OrderFilter, { words, orderId }: Search): OrderSource => sql`
  select o.id, (o.attention is not null) as flagged, o.placed_at, o.total_minor, o.status from orders o
  cross join lateral (
    select 1 where o.id = ${orderId ?? null}::text
      or exists (select from order_search s where s.order_id = o.id and (s.words @@ ${words}::tsquery) is true) offset 0) m
  where ${conditions(filter, ORDER)}`

/** Rows of `orders o`, or of `order_search s`, which has some of the columns. */
const ORDER = { status: sql`o.status`, placedAt: sql`o.placed_at`, orderId: undefined }
const SEARCH_ROW = { status: sql`s.status`, placedAt: sql`s.placed_at`, orderId: sql`s.order_id` }

/** The conditions of a filter, without its words. */
export function conditionsOfOrder(filter: OrderFilter): RawBuilder<unknown> {
  return conditions(filter, ORDER)
}

function conditions(
  filter: OrderFilter,
  { status, placedAt, orderId }: typeof ORDER | typeof SEARCH_ROW,
): RawBuilder<unknown> {
  const { statuses, from, before } = filter
  const ofOrder = conditionsOnOrder(filter)
  const parts = [
    sql`true`,
    ...(statuses === undefined ? [] : [isOneOf(status, statuses)]),
    ...(from === undefined ? [] : [sql`${placedAt} >= ${from}::timestamptz`]),
    ...(before === undefined ? [] : [sql`${placedAt} < ${before}::timestamptz`]),
    ...(orderId === undefined ? ofOrder : ofTheOrderOf(orderId, ofOrder)),
  ]
  return sql.join(parts, AND)
}

const AND = sql` and `

function ofTheOrderOf(orderId: RawBuilder<unknown>, parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown>[] {
  return parts.length === 0
    ? []
    : [sql`exists (select from orders o where o.id = ${orderId} and ${sql.join(parts, AND)})`]
}

/** Whether a filter has conditions beside its words. */
export function isNarrowed(filter: OrderFilter): boolean {
  const { statuses, from, before } = filter
  return [statuses, from, before].some((part) => part !== undefined) || conditionsOnOrder(filter).length > 0
}

/** The conditions that need a row of `orders o`. */
function conditionsOnOrder({ payment, country, attention, customer, tag }: OrderFilter): RawBuilder<unknown>[] {
  return [
    ...(payment === undefined ? [] : [sql`o.payment_status = ${payment}`]),
    ...(country === undefined ? [] : [sql`o.country = ${country}`]),
    // The list's index contains the first of the two.
    ...(attention === undefined ? [] : [sql`o.attention is not null`]),
    ...(attention === undefined || attention === 'any' ? [] : [sql`o.attention = ${attention}`]),
    ...(customer === undefined ? [] : [isOf(customer)]),
    // The second condition lets PostgreSQL use the index, which has only orders with tags.
    ...(tag === undefined ? [] : [sql`o.tag_keys @> array[${tag}::text]`, sql`o.tag_keys <> '{}'`]),
  ]
}

function isOf(customer: NonNullable<OrderFilter['customer']>): RawBuilder<unknown> {
  if ('email' in customer) return sql`o.email_canonical = ${customer.email}`
  return sql`o.id in (
    select own.id from orders own where own.customer_id = ${customer.id}
    union all select guest.id from (select o.id from ${guestOrdersOf(customer.id)}) guest)`
}
