import { sql } from 'kysely'
import type { Address } from '@storefront/contracts'
import type { Database, Row, Tx } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import { COLUMNS } from '../orders/orders.queries.ts'
import type { StoredBuyer } from './buyer.ts'

const BUYER_COLUMNS = [
  'id',
  'email',
  'name',
  'currency',
  'customer_id',
  'orders',
  'revenue_minor',
  'revenues',
  'first_order_at',
  'last_order_at',
  'tags',
] as const

/** With its address in canonical form. */
type FoundBuyer = StoredBuyer & Pick<Row<'buyers'>, 'email_canonical'>

export async function findBuyer(db: Database | Tx, id: string): Promise<FoundBuyer | undefined> {
  return db
    .selectFrom('buyers')
    .select([...BUYER_COLUMNS, 'email_canonical'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function lockBuyer(tx: Tx, id: string): Promise<FoundBuyer | undefined> {
  return tx
    .selectFrom('buyers')
    .select([...BUYER_COLUMNS, 'email_canonical'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function saveBuyerTags(
  tx: Tx,
  id: string,
  { tags, keys }: { tags: readonly string[]; keys: readonly string[] },
): Promise<void> {
  await tx
    .updateTable('buyers')
    .set({ tags: [...tags], tag_keys: [...keys] })
    .where('id', '=', id)
    .execute()
}

const canonicalOf = (buyerId: string) => sql`(select email_canonical from buyers where id = ${buyerId})`

/** Where the latest orders of a buyer were sent, each address once, the latest first. */
export async function findAddresses(db: Database, buyerId: string, latest: number): Promise<Address[]> {
  const { rows } = await sql<{ address: Address }>`
    select address from (
      select o.document->'shippingAddress' as address, counted.placed_at
      from buyer_orders counted join orders o on o.id = counted.order_id
      where counted.email_canonical = ${canonicalOf(buyerId)}
      order by counted.placed_at desc, counted.order_id desc limit ${latest}
    ) sent where jsonb_typeof(address) = 'object' group by address order by max(placed_at) desc`.execute(db)
  return rows.map(({ address }) => address)
}

/** The orders of a buyer after this one, oldest first. @param after empty for the first ones */
export async function findOrdersOfBuyer(
  db: Database,
  buyerId: string,
  { after, limit }: { after: string; limit: number },
): Promise<StoredOrder[]> {
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where id = any(array(
      select order_id from buyer_orders where email_canonical = ${canonicalOf(buyerId)} and (placed_at, order_id) > (
        coalesce((select placed_at from buyer_orders where order_id = ${after}), '-infinity'), ${after})
      order by placed_at, order_id limit ${limit}))
    order by placed_at, id`.execute(db)
  return rows
}

/**
 * The guest orders of this address that no deleted customer owns. The lock also waits for capabilities that are being
 * granted, so that they are deleted with the others.
 */
export async function lockGuestOrders(tx: Tx, canonical: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where email_canonical = ${canonical} and customer_id is null order by id for update`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Whether an existing account has this address: it is the last one that the account verified. */
export async function isAddressOfAccount(tx: Tx, canonical: string): Promise<boolean> {
  const { rows } = await sql`
    select from customer_emails v where v.email = ${canonical}
      and not exists (select from former_customers f where f.customer_id = v.customer_id)
      and not exists (select from customer_emails later
        where later.customer_id = v.customer_id and later.verified_at > v.verified_at)
    limit 1`.execute(tx)
  return rows.length > 0
}

export async function assignOrders(tx: Tx, orderIds: readonly string[], customerId: string): Promise<void> {
  await sql`update orders set customer_id = ${customerId} where id = any(${[...orderIds]}::text[])`.execute(tx)
}

const IS_UNPAID_OF_GUEST = sql`customer_id is null and status <> 'completed'`

/**
 * Unpaid payment pages of guests whose addresses the database cannot compare, because they need IDNA or normalization.
 */
export async function findUncomparedSessions(tx: Tx): Promise<{ id: string; email: string; createdAt: Date }[]> {
  const { rows } = await sql<{ id: string; email: string; createdAt: Date }>`
    select id, email, created_at as "createdAt" from payment_sessions
    where plain_email_canonical(email) is null and ${IS_UNPAID_OF_GUEST}`.execute(tx)
  return rows
}

/**
 * Assigns a guest's payment pages to this customer: those of these orders, and those with this address that were not
 * paid. As those of a deleted customer, the unpaid ones are then deleted a day after their end.
 * @param guest.sessionIds of others that were not paid
 * @param guest.begunUntil leaves out the unpaid ones with this address that were begun later
 */
export async function assignPaymentSessions(
  tx: Tx,
  guest: { canonical: string; orderIds: readonly string[]; sessionIds: readonly string[]; begunUntil?: Date },
  customerId: string,
): Promise<void> {
  await sql`
    update payment_sessions set customer_id = ${customerId} where id = any(array(
      select id from payment_sessions where customer_id is null and id = any(array(
        select id from payment_sessions where order_id = any(${[...guest.orderIds]}::text[])
        union all select id from payment_sessions
        where plain_email_canonical(email) = ${guest.canonical} and ${IS_UNPAID_OF_GUEST}
          and created_at <= ${guest.begunUntil ?? 'infinity'}::timestamptz
        union all select unnest(${[...guest.sessionIds]}::text[])))
      order by id for update))`.execute(tx)
}

/** Deletes a buyer with notes, tags and totals. */
export async function deleteBuyer(tx: Tx, { id, canonical }: { id: string; canonical: string }): Promise<void> {
  await tx.deleteFrom('buyer_orders').where('email_canonical', '=', canonical).execute()
  await tx.deleteFrom('buyers').where('id', '=', id).execute()
}

/** Deletes the notes and tags of buyers who have deleted these accounts. */
export async function deleteDetailsOf(tx: Tx, customerIds: readonly string[]): Promise<void> {
  const own = sql`select id from buyers where customer_id = any(${[...customerIds]}::text[])`
  await sql`delete from buyer_notes where buyer_id in (${own})`.execute(tx)
  await sql`update buyers set tags = '{}', tag_keys = '{}' where id in (${own} order by id for update)`.execute(tx)
}
