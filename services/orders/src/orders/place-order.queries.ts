import { sql } from 'kysely'
import { readEmailAddress } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { StoredOrder } from './order.ts'
import { COLUMNS } from './orders.queries.ts'

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
