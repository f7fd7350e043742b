import { plannedOnce } from '@storefront/postgres'
import { sql } from 'kysely'
import { readEmailAddress, type OrderAttention, type OrderStatus, type PaymentStatus } from '@storefront/contracts'
import { guestOrderPageOf, guestOrdersOf } from '../customers/customers.queries.ts'
import type { Database, Tx } from '../database.ts'
import type { CapturedPayment } from '../payments/payments.queries.ts'
import type { StoredOrder } from './order.ts'

/** Of the table `orders` under its own name. */
export const COLUMNS = sql`id, number, cart_id as "cartId", customer_id as "customerId", email, status, placed_at as "placedAt",
  document, claim, discount_claim as "discountClaim", attention, tracking, tags, captured_minor as "capturedMinor",
  refunded_minor as "refundedMinor", restocked_at as "restockedAt",
  jsonb_build_object('provider', payment_provider, 'status', payment_status, 'method', payment_method,
    'reference', payment_reference) as payment,
  coalesce((
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'id', r.id, 'amount', jsonb_build_object('amount', r.amount_minor, 'currency', r.currency), 'reason', r.reason, 'reference', r.reference, 'restocked', r.restocked, 'lines', r.lines,
      'status', r.status, 'createdAt', to_char(r.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      order by r.created_at, r.id)
    from refunds r where r.order_id = orders.id and not r.of_duplicate), '[]') as refunds,
  coalesce((
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', f.id, 'lines', f.lines, 'tracking', f.tracking,
      'createdAt', to_char(f.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) order by f.number)
    from fulfilments f where f.order_id = orders.id), '[]') as fulfilments`

/** Numbers are accepted in upper or lower case. */
const IS_NAMED = (idOrNumber: string) => sql`(id = ${idOrNumber} or lower(number) = lower(${idOrNumber}))`

export async function findOrder(db: Database | Tx, idOrNumber: string): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where ${IS_NAMED(idOrNumber)}`.execute(db)
  return rows[0]
}

export async function findOrderId(db: Database | Tx, idOrNumber: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where ${IS_NAMED(idOrNumber)}`.execute(db)
  return rows[0]?.id
}

/** The order of a cart: its own before that of the cart that it was merged into. */
export async function findOrderOfCart(db: Database | Tx, cartId: string): Promise<StoredOrder | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    select coalesce((select id from orders where cart_id = ${cartId}),
      (select order_id from order_carts where cart_id = ${cartId})) as id`.execute(db)
  return findIfAny(db, rows[0]?.id)
}

/**
 * Most carts and lines have no order: their statements read its id only, because PostgreSQL opens the tables of refunds
 * and parcels for every statement that could read them.
 */
async function findIfAny(db: Database | Tx, id: string | null | undefined): Promise<StoredOrder | undefined> {
  if (id === undefined || id === null) return undefined
  const { rows } = await sql<StoredOrder>`select ${COLUMNS} from orders where id = ${id}`.execute(db)
  return rows[0]
}

/** Whether an order with a discount redemption has sold one of these carts, under any of its ids. */
export async function hasRedeemingOrder(db: Database | Tx, cartIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from orders
    where discount_claim is not null and (cart_id = any(${plannedOnce(cartIds)})
      or id = any(array(select order_id from order_carts where order_carts.cart_id = any(${plannedOnce(cartIds)}))))
    limit 1`.execute(db)
  return rows.length > 0
}

/** An order that has one of these lines. */
export async function findOrderOfLines(
  db: Database | Tx,
  lineIds: readonly string[],
): Promise<StoredOrder | undefined> {
  const { rows } = await sql<{ id: string }>`
    select order_id as id from ordered_lines where line_id = any(${plannedOnce(lineIds)}) order by line_id limit 1`.execute(
    db,
  )
  return findIfAny(db, rows[0]?.id)
}

/** The order of this key of a merchant. */
export async function findOrderByPlacementKey(db: Database | Tx, key: string): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders
    where id = coalesce(
      (select order_id from placement_keys where key = ${key}),
      (select placed.id from orders placed where placed.placement_key = ${key}))`.execute(db)
  return rows[0]
}

/**
 * Records that this key returns this order. It waits for a concurrent request that uses the key.
 * @returns false, with nothing written, when the key is recorded already
 */
export async function recordPlacementKey(db: Database | Tx, key: string, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into placement_keys (key, order_id) values (${key}, ${orderId}) on conflict do nothing returning 1`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Locks orders by ascending id, and returns their current state. Every change of an order locks it first. It is read
 * after it is locked: a statement that waits for a lock sees the refunds as they were before. Rows that refer to the
 * orders can be inserted meanwhile, because the ids of orders never change: a payment need not wait until a batch of
 * buyers is counted.
 */
export async function lockOrders(tx: Tx, ids: readonly string[]): Promise<StoredOrder[]> {
  await sql`
    select from orders where id = any(${plannedOnce(ids)}) order by id for no key update /* sent with the next */`.execute(
    tx,
  )
  const { rows } = await sql<StoredOrder>`select ${COLUMNS} from orders where id = any(${plannedOnce(ids)})`.execute(tx)
  return rows
}

/** The same for one of them. */
export async function lockOrder(tx: Tx, id: string): Promise<StoredOrder | undefined> {
  const [order] = await lockOrders(tx, [id])
  return order
}

/**
 * A page of a customer's own orders and the guest orders that are the customer's, newest first. It uses their indexes:
 * its cost depends on this customer's orders only.
 */
export async function findOrdersOf(
  db: Database,
  customerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<StoredOrder[]> {
  const page = sql`order by o.placed_at desc, o.id limit ${offset + limit}`
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where id in (
      (select o.id from orders o where o.customer_id = ${customerId} ${page})
      union all
      (select o.id from ${guestOrderPageOf(customerId, page)}))
    order by placed_at desc, id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countOrdersOf(db: Database, customerId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select (select count(*) from orders o where o.customer_id = ${customerId})
      + (select count(*) from ${guestOrdersOf(customerId)}) as total`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * The same orders, oldest first after this one, so that new ones come at the end. They are sorted by time, like the
 * indexes: with 100,000 guest orders of one address every page takes 1.4 ms, compared to 640 ms sorted by id.
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

/** An order as it is placed: nothing was refunded yet, and it has no number yet. */
export type OrderDraft = Omit<
  StoredOrder,
  'number' | 'refunds' | 'refundedMinor' | 'restockedAt' | 'tracking' | 'tags' | 'fulfilments'
>

export interface Placement {
  numberPrefix: string
  secretHashes: readonly Buffer[]
  /** Every id that the sold cart is known by, including those of carts that were merged into it. */
  cartIds: readonly string[]
  /** Every id of the sold lines, including those of lines that were merged into them. */
  lineIds: readonly string[]
  placementKey?: string | undefined
  /** Id of the admin user or of the secret key that places it. */
  actor?: string | undefined
}

/**
 * Writes, in one statement, that an order uses its holds, the order with the next number, the first entry of its
 * timeline and the secrets that open it. No order is written when one of the holds was released or already has an
 * order.
 * @returns no number when the cart has an order already or one of its holds cannot be used, and `hasLines` false when
 * one of its lines has an order: then the caller must roll back
 */
export async function insertOrder(
  tx: Tx,
  order: OrderDraft,
  options: Placement,
): Promise<{ hasLines: boolean; number: string | undefined }> {
  const lineIds = [...new Set(options.lineIds)].toSorted()
  const claims = [order.claim, order.discountClaim].filter((claim) => claim !== null).toSorted()
  const otherCarts = options.cartIds.filter((cartId) => cartId !== order.cartId)
  // Left out for most orders: PostgreSQL would open two tables and their indexes for it.
  const named =
    otherCarts.length === 0
      ? sql``
      : sql`, named as (
      insert into order_carts (cart_id, order_id)
      select other.cart_id, placed.id from placed, unnest(${otherCarts}::text[]) as other (cart_id)
      where not exists (select from orders where orders.cart_id = other.cart_id) on conflict do nothing
    )`
  const { rows } = await sql<{ lines: number; number: string | null }>`
    with claimed as (
      insert into claims (claim, verdict, decided_at)
      select claim, 'ordered', ${order.placedAt}::timestamptz from unnest(${claims}::text[]) as claim order by claim
      on conflict do nothing returning claim
    ), placed as (
      insert into orders (id, number, cart_id, customer_id, email, email_canonical, status, placed_at, document, payment_provider,
        payment_status, payment_method, payment_reference, claim, discount_claim, attention, captured_minor, placement_key)
      select ${order.id}, ${options.numberPrefix} || nextval('order_numbers'), ${order.cartId}, ${order.customerId},
        ${order.email}, ${readEmailAddress(order.email)?.canonical ?? null}, ${order.status}, ${order.placedAt}::timestamptz, ${JSON.stringify(order.document)}::jsonb,
        ${order.payment.provider}, ${order.payment.status}, ${order.payment.method}, ${order.payment.reference},
        ${order.claim}, ${order.discountClaim}, ${order.attention}, ${order.capturedMinor}, ${options.placementKey ?? null}
      where (select count(*) from claimed) = ${claims.length}
      on conflict do nothing returning id, number
    ), granted as (
      insert into order_capabilities (order_id, secret_hash)
      select id, hash from placed, unnest(${options.secretHashes}::bytea[]) as hash on conflict do nothing
    )${named}, sold as (
      insert into ordered_lines (line_id, order_id)
      select line_id, placed.id from placed, unnest(${lineIds}::text[]) as line_id order by line_id
      on conflict do nothing returning line_id
    ), noted as (
      insert into order_timeline (order_id, at, kind, actor)
      select id, ${order.placedAt}::timestamptz, 'placed', ${options.actor ?? null} from placed
    )
    select (select count(*) from sold)::int as lines, (select number from placed) as number`.execute(tx)
  const [written] = rows
  return {
    hasLines: written?.lines === lineIds.length,
    number: written?.number ?? undefined,
  }
}

/**
 * Records the payment of orders, and that an order is paid when its status allows it and the payment is
 * correct. An existing reason for attention stays. The orders must be locked.
 * @param paidFrom the statuses from which it becomes paid
 */
export async function markCaptured(
  tx: Tx,
  captures: readonly (CapturedPayment & { attention: OrderAttention | null })[],
  paidFrom: readonly OrderStatus[],
): Promise<void> {
  if (captures.length === 0) return
  await sql`
    update orders set
      status = case when status = any(${[...paidFrom]}) and c.attention is null then 'paid' else status end,
      attention = coalesce(orders.attention, c.attention),
      payment_status = 'captured', payment_provider = c.provider, payment_method = c.method,
      payment_reference = c.reference, captured_minor = c.amount_minor
    from unnest(
      ${plannedOnce(captures.map((each) => each.orderId))}, ${captures.map((each) => each.provider)}::text[],
      ${captures.map((each) => each.method)}::text[], ${captures.map((each) => each.reference)}::text[],
      ${captures.map((each) => each.amountMinor)}::bigint[], ${captures.map((each) => each.attention)}::text[]
    ) as c (order_id, provider, method, reference, amount_minor, attention)
    where orders.id = c.order_id /* sent with the next */`.execute(tx)
}

/**
 * Flags orders for attention, unless they are flagged for another reason already. The orders must be locked.
 * @returns those that were not flagged before
 */
export async function markAttention(tx: Tx, orderIds: readonly string[], attention: OrderAttention): Promise<string[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    update orders set attention = ${attention} where id = any(${[...orderIds]}) and attention is null
    returning id`.execute(tx)
  return rows.map((row) => row.id)
}

/**
 * Stores which payment is expected for an order that has no money yet. The order must be locked.
 * @returns whether it did: not for an order that has the reference of a payment, or is canceled
 */
export async function nameExpectedPayment(
  tx: Tx,
  orderId: string,
  payment: { provider: string; reference: string; status: 'pending' | 'authorized'; method: string | null },
): Promise<boolean> {
  const { provider, reference, status, method } = payment
  const { rows } = await sql`
    update orders set payment_provider = ${provider}, payment_reference = ${reference},
      payment_method = coalesce(${method}, payment_method),
      payment_status = case when ${status} = 'authorized' then 'authorized' else payment_status end
    where id = ${orderId} and payment_reference is null and status <> 'cancelled' returning 1`.execute(tx)
  return rows.length > 0
}

/**
 * Records the payment status of an order that has no money yet, if that transition is possible: events come late
 * and out of order, and a captured payment is never undone by one.
 * @returns whether it did
 */
export async function markPaymentStatus(
  tx: Tx,
  orderId: string,
  status: 'authorized' | 'failed',
  from: readonly PaymentStatus[],
): Promise<boolean> {
  const { rows } = await sql`
    update orders set payment_status = ${status}
    where id = ${orderId} and payment_status = any(${[...from]}) and status <> 'cancelled' returning 1`.execute(tx)
  return rows.length > 0
}
