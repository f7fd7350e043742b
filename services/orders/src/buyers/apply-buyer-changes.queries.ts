import { sql } from 'kysely'
import { ordersOf } from '../customers/customers.queries.ts'
import type { Database, Tx } from '../database.ts'

/** Serializes the replicas that count buyers, and the erasure of a buyer. No checkout takes this lock. */
export async function lockBuyers(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('buyers'), hashtext('orders'))`.execute(tx)
}

export async function isChangeQueued(db: Database): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`select exists (select from buyer_changes) as waits`.execute(db)
  return rows[0]?.waits === true
}

/** Removes up to `limit` changes from the queue, the latest first. @returns their orders */
export async function takeChangedOrders(tx: Tx, limit: number): Promise<{ rows: number; orderIds: string[] }> {
  const { rows } = await sql<{ orderId: string }>`
    delete from buyer_changes where id = any(array(select id from buyer_changes order by id desc limit ${limit}))
    returning order_id as "orderId"`.execute(tx)
  return { rows: rows.length, orderIds: [...new Set(rows.map(({ orderId }) => orderId))] }
}

/**
 * Queues the orders of these customers, guest orders included, to be counted again: the deletion of an account changes
 * no column of them, so the trigger does not queue them.
 */
export async function queueOrdersOf(tx: Tx, customerIds: readonly string[]): Promise<void> {
  await sql`insert into buyer_changes (order_id) ${ordersOf(sql`${[...customerIds]}::text[]`)}`.execute(tx)
}

/** The canonical addresses that these orders were last counted for. */
export async function findCountedAddresses(tx: Tx, orderIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct email_canonical as address from buyer_orders where order_id = any(${[...orderIds]}::text[])`.execute(
    tx,
  )
  return rows.map(({ address }) => address)
}

/** Counts these orders for their addresses, as they are now. */
export async function addOrdersToBuyers(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await sql`
    insert into buyer_orders as counted (order_id, email_canonical, placed_at, customer_id, counts, currency,
      revenue_minor)
    select id, email_canonical, placed_at, customer_id, status <> 'cancelled',
      coalesce(document #>> '{total,currency}', ''), captured_minor - refunded_minor
    from orders where id = any(${[...orderIds]}::text[]) and email_canonical <> '' order by id
    on conflict (order_id) do update set email_canonical = excluded.email_canonical,
      customer_id = excluded.customer_id, counts = excluded.counts, currency = excluded.currency,
      revenue_minor = excluded.revenue_minor`.execute(tx)
}

/** Stops counting these orders for any buyer. */
export async function removeOrders(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await sql`delete from buyer_orders where order_id = any(${[...orderIds]}::text[])`.execute(tx)
}

/**
 * Adds up the orders of these addresses. A buyer is written once and only when something differs, because updating the
 * index of parts of names costs most.
 */
export async function sumBuyers(tx: Tx, addresses: readonly string[]): Promise<void> {
  await sql`
    with sums as (
      select email_canonical, currency, count(*) filter (where counts) as orders, sum(revenue_minor) as revenue_minor,
        min(placed_at) as first_order_at, max(placed_at) as last_order_at,
        max(array[to_char(placed_at at time zone 'utc', 'YYYYMMDDHH24MISSUS'), customer_id])
          filter (where customer_id is not null) as account
      from buyer_orders where email_canonical = any(${[...addresses]}::text[]) group by email_canonical, currency
    ), totals as (
      select email_canonical, sum(orders)::int as orders, jsonb_object_agg(currency, revenue_minor) as revenues,
        min(first_order_at) as first_order_at, max(last_order_at) as last_order_at, (max(account))[2] as customer_id
      from sums group by email_canonical
    )
    insert into buyers as known (email_canonical, email, name, currency, customer_id, orders, revenue_minor, revenues,
      first_order_at, last_order_at)
    select totals.email_canonical, latest.email, latest.name, latest.currency, totals.customer_id, totals.orders,
      (totals.revenues->>latest.currency)::bigint, totals.revenues, totals.first_order_at, totals.last_order_at
    from totals cross join lateral (
      select o.email, coalesce(o.document #>> '{shippingAddress,name}', '') as name, counted.currency
      from buyer_orders counted join orders o on o.id = counted.order_id
      where counted.email_canonical = totals.email_canonical
      order by counted.placed_at desc, counted.order_id desc limit 1
    ) latest
    order by totals.email_canonical
    on conflict (email_canonical) do update set email = excluded.email, name = excluded.name,
      currency = excluded.currency, customer_id = excluded.customer_id, orders = excluded.orders,
      revenue_minor = excluded.revenue_minor, revenues = excluded.revenues, first_order_at = excluded.first_order_at,
      last_order_at = excluded.last_order_at
    where (known.email, known.name, known.currency, known.customer_id, known.orders, known.revenues,
        known.first_order_at, known.last_order_at)
      is distinct from (excluded.email, excluded.name, excluded.currency, excluded.customer_id, excluded.orders,
        excluded.revenues, excluded.first_order_at, excluded.last_order_at)`.execute(tx)
}

/** Deletes the buyers of these addresses that have no orders left. */
export async function deleteEmptyBuyers(tx: Tx, addresses: readonly string[]): Promise<void> {
  await sql`
    delete from buyers b where email_canonical = any(${[...addresses]}::text[])
      and not exists (select from buyer_orders o where o.email_canonical = b.email_canonical)`.execute(tx)
}
