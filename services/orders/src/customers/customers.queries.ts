import { readEmailAddress } from '@storefront/contracts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../database.ts'

/**
 * The spans in which guest orders with an address belong to these customers. They are computed from all events
 * received, and never from earlier results, so the events may come in any order.
 *
 * @param customerIds an array of texts
 *
 * An address belongs to a customer from its verification until the customer verifies another one, another customer
 * verifies it, or the account is deleted. Orders from a time when it belonged to no customer belong to the first who
 * verifies it afterwards.
 */
export const spansOf = (customerIds: RawBuilder<unknown>) => sql`(
  select email, customer_id, since, until from (
    select email, customer_id, until, coalesce(lag(until) over timeline, '-infinity') as since
    from (
      select v.email, v.verified_at, v.customer_id,
        coalesce(least(lead(v.verified_at) over timeline, released.at), 'infinity') as until
      from customer_emails v cross join lateral (
        select min(at) as at from (
          select n.verified_at as at from customer_emails n
          where n.customer_id = v.customer_id and n.email <> v.email and n.verified_at >= v.verified_at
          union all select f.deleted_at from former_customers f where f.customer_id = v.customer_id) moments) released
      where v.email in (select email from customer_emails where customer_id = any(${customerIds}))
      window timeline as (partition by v.email order by v.verified_at, v.customer_id)
    ) proofs
    window timeline as (partition by email order by verified_at, customer_id)
  ) spans
  where customer_id = any(${customerIds}) and since < until)`

/** Whether the order `o` was placed by a guest in the span `s` of a customer. */
export const IS_WITHIN_SPAN = sql<boolean>`(o.customer_id is null and o.email_canonical = s.email
  and o.placed_at >= s.since and o.placed_at < s.until)`

/** The ids of the orders of these customers, guest orders included. @param customerIds an array of texts */
export const ordersOf = (customerIds: RawBuilder<unknown>) => sql`
  select id from orders where customer_id = any(${customerIds})
  union all select o.id from ${spansOf(customerIds)} s join orders o on ${IS_WITHIN_SPAN}`

const only = (customerId: string) => sql`array[${customerId}::text]`

/** The deleted customers who had verified an address of one of these orders, as an array. */
export const DELETED_HOLDERS_OF = (orderIds: RawBuilder<unknown>) => sql`array(
  select v.customer_id from customer_emails v
  join former_customers f on f.customer_id = v.customer_id
  where v.email in (select email_canonical from orders where id = any(${orderIds}) and customer_id is null))`

/** Guest orders of a customer, called `o`, each joined to the span `s` that makes it the customer's. */
export const guestOrdersOf = (customerId: string) =>
  sql`${spansOf(only(customerId))} s join orders o on ${IS_WITHIN_SPAN}`

/**
 * A page of a customer's guest orders: `page` orders and limits the rows of `orders o`. Each span is read along the
 * index, so the cost does not grow with the number of orders of one address.
 */
export const guestOrderPageOf = (customerId: string, page: ReturnType<typeof sql>) =>
  sql`${spansOf(only(customerId))} s cross join lateral (select o.id from orders o where ${IS_WITHIN_SPAN} ${page}) o`

export interface Verification {
  customerId: string
  /** In any spelling; it is stored in canonical form. */
  email: string
  at: string
}

export async function insertVerifications(tx: Tx, all: readonly Verification[]): Promise<void> {
  await sql`
    insert into customer_emails (email, verified_at, customer_id)
    select distinct email, at, customer_id from unnest(${all.map((each) => canonicalOf(each.email))}::text[],
      ${all.map((each) => each.at)}::timestamptz[], ${all.map((each) => each.customerId)}::text[])
      as t (email, at, customer_id)
    order by 1, 2, 3 on conflict do nothing`.execute(tx)
}

/** Whether the last verified address of a customer is this one, in canonical form. */
export async function hasVerified(tx: Tx, own: { customerId: string; canonical: string }): Promise<boolean> {
  const { rows } = await sql<{ email: string }>`
    select email from customer_emails where customer_id = ${own.customerId} order by verified_at desc limit 1`.execute(
    tx,
  )
  return rows[0]?.email === own.canonical
}

/** An address that cannot be parsed is not verified, but the customer has left the previous one. */
function canonicalOf(email: string): string {
  return readEmailAddress(email)?.canonical ?? ''
}

/** Replaces the last address that a customer had verified by this time with one that no order has. */
export async function withdrawVerifications(tx: Tx, customerId: string, at: string): Promise<void> {
  await sql`
    update customer_emails set email = ''
    where customer_id = ${customerId} and verified_at <= ${at}::timestamptz and email = (
      select email from customer_emails where customer_id = ${customerId} and verified_at <= ${at}::timestamptz
      order by verified_at desc limit 1)`.execute(tx)
}

/** Records which accounts were deleted, and when: the earliest time counts, in whatever order the events come. */
export async function insertFormerCustomers(
  tx: Tx,
  gone: readonly { customerId: string; at: string }[],
): Promise<void> {
  await sql`
    insert into former_customers (customer_id, deleted_at)
    select customer_id, min(at) from unnest(${gone.map((each) => each.customerId)}::text[],
      ${gone.map((each) => each.at)}::timestamptz[]) as t (customer_id, at)
    group by customer_id order by customer_id
    on conflict (customer_id) do update set deleted_at = least(former_customers.deleted_at, excluded.deleted_at)`.execute(
    tx,
  )
}

/** Kept forever, unlike the rows of `insertFormerCustomers`. */
export async function insertDeletedCustomers(
  tx: Tx,
  gone: readonly { customerId: string; at: string }[],
): Promise<void> {
  await sql`
    insert into deleted_customers (customer_id, deleted_at)
    select customer_id, min(at) from unnest(${gone.map((each) => each.customerId)}::text[],
      ${gone.map((each) => each.at)}::timestamptz[]) as t (customer_id, at)
    group by customer_id order by customer_id on conflict do nothing`.execute(tx)
}

/** Accounts that were deleted so long ago that no event about them can still arrive, locked. */
export async function lockLongFormerCustomers(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ customerId: string }>`
    select customer_id as "customerId" from former_customers where deleted_at < ${before}
    order by customer_id limit ${limit} for update`.execute(tx)
  return rows.map((row) => row.customerId)
}

/**
 * Assigns the guest orders of these customers to them for good; otherwise the next account with the address would
 * inherit them.
 */
export async function keepGuestOrders(tx: Tx, customerIds: readonly string[]): Promise<void> {
  await sql`
    update orders o set customer_id = s.customer_id from ${spansOf(sql`${[...customerIds]}::text[]`)} s where ${IS_WITHIN_SPAN}`.execute(
    tx,
  )
}

/** Deletes everything that connects these customers with an address. */
export async function deleteCustomers(tx: Tx, customerIds: readonly string[]): Promise<void> {
  await sql`delete from customer_emails where customer_id = any(${[...customerIds]})`.execute(tx)
  await sql`delete from former_customers where customer_id = any(${[...customerIds]})`.execute(tx)
}
