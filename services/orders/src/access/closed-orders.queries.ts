import { plannedOnce } from '@storefront/postgres'
import { sql, type RawBuilder } from 'kysely'
import { DELETED_HOLDERS_OF, IS_WITHIN_SPAN, ordersOf, spansOf } from '../customers/customers.queries.ts'
import type { Database, Tx } from '../database.ts'

/**
 * The deleted customers whose orders these are, by the ids of the orders: their own, and guest orders with an address
 * that was theirs. It is computed from current data, so a capability granted late opens nothing, and events may arrive
 * in any order.
 */
export async function findDeletedOwners(
  db: Database | Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = plannedOnce(orderIds)
  const { rows: suspects } = await sql`
    select 1 from orders o where o.id = any(${ids}) and ${MAY_BE_CLOSED} limit 1`.execute(db)
  if (suspects.length === 0) return new Map()
  const { rows } = await sql<{ id: string; customerId: string }>`${deletedOwnersOf(ids)}`.execute(db)
  return new Map(rows.map(({ id, customerId }) => [id, customerId]))
}

/**
 * Whether the customer of the order `o`, or one who had verified its address, was deleted. Hardly any order has such a
 * customer, and PostgreSQL opens thirteen scans for the statement that finds the spans of addresses.
 */
const MAY_BE_CLOSED = sql<boolean>`(
  exists (select from deleted_customers d where d.customer_id = o.customer_id)
  or (o.customer_id is null and exists (
    select from customer_emails v join former_customers f on f.customer_id = v.customer_id
    where v.email = o.email_canonical)))`

const deletedOwnersOf = (ids: RawBuilder<unknown>) => sql`
  select o.id, o.customer_id as "customerId" from orders o
  where o.id = any(${ids}) and exists (select from deleted_customers d where d.customer_id = o.customer_id)
  union all
  select o.id, s.customer_id from ${spansOf(DELETED_HOLDERS_OF(ids))} s
  join orders o on ${IS_WITHIN_SPAN} where o.id = any(${ids})`

/** Whether the customer of this order was deleted: then only the merchant can open it. */
export async function isClosed(db: Database | Tx, orderId: string): Promise<boolean> {
  return (await findDeletedOwners(db, [orderId])).size > 0
}

interface Grant {
  orderId: string
  secretHash: Buffer
}

/**
 * Stores hashes of secrets that open orders, except those whose customer was deleted.
 * @returns the ids of the orders that exist and are open
 */
export async function grantIfOpen(db: Database, grants: readonly Grant[]): Promise<ReadonlySet<string>> {
  const open = await grantWhere(db, grants, sql`not ${MAY_BE_CLOSED}`)
  const others = grants.filter(({ orderId }) => !open.has(orderId))
  if (others.length === 0) return open
  const closed = deletedOwnersOf(plannedOnce(others.map(({ orderId }) => orderId)))
  const opened = await grantWhere(db, others, sql`o.id not in (select closed.id from (${closed}) as closed)`)
  return new Set([...open, ...opened])
}

/**
 * @param isOpen a condition on the order `o`. `offset 0` makes PostgreSQL check it for these orders alone, even if it
 * takes the table for a small one
 */
async function grantWhere(db: Database, grants: readonly Grant[], isOpen: RawBuilder<unknown>): Promise<Set<string>> {
  const ids = plannedOnce(grants.map((grant) => grant.orderId))
  const { rows } = await sql<{ id: string }>`
    with opened as (
      select g.id, g.hash from unnest(${ids}, ${grants.map((grant) => grant.secretHash)}::bytea[]) as g (id, hash)
      where exists (select from orders o where o.id = g.id and ${isOpen} offset 0)
    ), granted as (
      insert into order_capabilities (order_id, secret_hash) select id, hash from opened order by id
      on conflict do nothing
    )
    select distinct id from opened`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export async function isDeletedCustomer(db: Database | Tx, customerId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from deleted_customers where customer_id = ${customerId}`.execute(db)
  return rows.length > 0
}

/**
 * Deletes the gift messages of these customers, which accounting does not need: from their orders and from their
 * payment sessions, of which paid ones are kept and others may still be paid.
 */
export async function deleteGiftMessages(tx: Tx, customerIds: readonly string[]): Promise<void> {
  const ids = sql`${[...customerIds]}::text[]`
  await sql`
    update payment_sessions set document = document - 'giftMessage' where id in (
      select id from payment_sessions where id in (
        select id from payment_sessions where customer_id = any(${ids})
        union all select s.id from payment_sessions s join (${ordersOf(ids)}) as o on o.id = s.order_id)
      and document ? 'giftMessage' order by id for update)`.execute(tx)
  await sql`
    update orders set document = document - 'giftMessage' where id in (
      select id from orders where id in (${ordersOf(ids)}) and document ? 'giftMessage' order by id for update)`.execute(
    tx,
  )
}

/** Revokes the secrets that open orders and payment pages of these customers. */
export async function deleteCapabilities(tx: Tx, customerIds: readonly string[]): Promise<void> {
  const ids = sql`${[...customerIds]}::text[]`
  await sql`
    delete from order_capabilities where order_id in (${ordersOf(ids)})`.execute(tx)
  await sql`
    update payment_sessions set secret_hashes = '{}' where id in (
      select id from payment_sessions where customer_id = any(${ids}) order by id for update)`.execute(tx)
}
