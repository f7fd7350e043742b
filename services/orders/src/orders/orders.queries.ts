import { plannedOnce } from '@storefront/postgres'
import { sql } from 'kysely'
import type { OrderAttention, OrderStatus, PaymentStatus } from '@storefront/contracts'
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
