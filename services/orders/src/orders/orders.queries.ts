import { sql } from 'kysely'
import type { OrderStatus } from '@storefront/contracts'
import { guestOrderPageOf, guestOrdersOf } from '../customers/customers.queries.ts'
import type { Database, Tx } from '../database.ts'
import type { StoredOrder } from './order.ts'

const COLUMNS = sql`id, number, cart_id as "cartId", customer_id as "customerId", email, status, placed_at as "placedAt",
  document, claim, jsonb_build_object('provider', payment_provider, 'status', payment_status, 'method', payment_method,
    'reference', payment_reference) as payment`

const LISTED = 200

export async function findOrder(db: Database | Tx, idOrNumber: string): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where id = ${idOrNumber} or number = ${idOrNumber}`.execute(db)
  return rows[0]
}

export async function findOrderOfCart(db: Database | Tx, cartId: string): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`select ${COLUMNS} from orders where cart_id = ${cartId}`.execute(db)
  return rows[0]
}

/** A customer's own orders and the guest orders that are the customer's, newest first. */
export async function findOrdersOf(db: Database, customerId: string): Promise<StoredOrder[]> {
  const page = sql`order by o.placed_at desc, o.id limit ${LISTED}`
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where id in (
      (select o.id from orders o where o.customer_id = ${customerId} ${page})
      union all
      (select o.id from ${guestOrderPageOf(customerId, page)}))
    order by placed_at desc, id limit ${LISTED}`.execute(db)
  return rows
}

/**
 * The same orders, oldest first, so that new ones come at the end, from behind this one. By their time, because that is
 * what the indexes know: with 100,000 guest orders of one address every page takes 1.4 ms, and took 640 by their ids.
 */
export async function findOrdersAfter(
  db: Database,
  customerId: string,
  { after, limit }: { after: string; limit: number },
): Promise<StoredOrder[]> {
  const { placedAt } = (await findPlacedAt(db, after)) ?? { placedAt: '-infinity' }
  const page = sql`and o.placed_at >= ${placedAt}::timestamptz
    and (o.placed_at, o.id) > (${placedAt}::timestamptz, ${after}) order by o.placed_at, o.id limit ${limit}`
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where id in (
      (select o.id from orders o where o.customer_id = ${customerId} ${page})
      union all
      (select o.id from ${guestOrderPageOf(customerId, page)}))
    order by placed_at, id limit ${limit}`.execute(db)
  return rows
}

/** When an order was placed, as text: a Date would lose the microseconds. */
async function findPlacedAt(db: Database, id: string): Promise<{ placedAt: string } | undefined> {
  const { rows } = await sql<{ placedAt: string }>`
    select placed_at::text as "placedAt" from orders where id = ${id}`.execute(db)
  return rows[0]
}

/** Whether this order was placed by a guest with an address that was the customer's. */
export async function isGuestOrderOf(db: Database | Tx, orderId: string, customerId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${guestOrdersOf(customerId)} where o.id = ${orderId}`.execute(db)
  return rows.length > 0
}

/**
 * Writes down, in one statement, that an order stands on this hold, the order with the next number, and the secrets that
 * open it. Nothing is written when the hold was given up or already has an order.
 * @returns what of it was written: without a number the cart has an order already, and the caller must roll back
 */
export async function insertOrder(
  tx: Tx,
  order: Omit<StoredOrder, 'number'>,
  options: { numberPrefix: string; secretHashes: readonly Buffer[] },
): Promise<{ claimed: boolean; number: string | undefined }> {
  const { rows } = await sql<{ claimed: boolean; number: string | null }>`
    with claimed as (
      insert into claims (claim, verdict, decided_at) values (${order.claim}, 'ordered', ${order.placedAt})
      on conflict do nothing returning claim
    ), placed as (
      insert into orders (id, number, cart_id, customer_id, email, status, placed_at, document, payment_provider,
        payment_status, payment_method, payment_reference, claim)
      select ${order.id}, ${options.numberPrefix} || nextval('order_numbers'), ${order.cartId}, ${order.customerId},
        ${order.email}, ${order.status}, ${order.placedAt}::timestamptz, ${JSON.stringify(order.document)}::jsonb,
        ${order.payment.provider}, ${order.payment.status}, ${order.payment.method}, ${order.payment.reference}, claim
      from claimed
      on conflict (cart_id) do nothing returning id, number
    ), granted as (
      insert into order_capabilities (order_id, secret_hash)
      select id, hash from placed, unnest(${options.secretHashes}::bytea[]) as hash on conflict do nothing
    )
    select exists (select 1 from claimed) as claimed, (select number from placed) as number`.execute(tx)
  return { claimed: rows[0]?.claimed ?? false, number: rows[0]?.number ?? undefined }
}

/**
 * Makes an order paid, if it still waits for its money.
 * @param from the statuses from which it may become paid
 * @returns the order's number, undefined when it was paid already or may not become paid
 */
export async function markPaid(
  tx: Tx,
  payment: { orderId: string; provider: string; method: string; reference: string },
  from: readonly OrderStatus[],
): Promise<string | undefined> {
  const { rows } = await sql<{ number: string }>`
    update orders set status = 'paid', payment_status = 'captured', payment_provider = ${payment.provider},
      payment_method = ${payment.method}, payment_reference = ${payment.reference}
    where id = ${payment.orderId} and payment_status <> 'captured' and status = any(${[...from]})
    returning number`.execute(tx)
  return rows[0]?.number
}
