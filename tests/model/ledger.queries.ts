import { z } from 'zod'
import type { TestShop } from '../support/shop.ts'

const Line = z.object({ id: z.string(), variantId: z.string(), quantity: z.number(), lineTotal: z.number() })

const OrderRow = z.object({
  id: z.string(),
  number: z.string(),
  cartId: z.string(),
  email: z.string(),
  status: z.string(),
  attention: z.string().nullable(),
  capturedMinor: z.number(),
  refundedMinor: z.number(),
  isRestocked: z.boolean(),
  hasGoods: z.boolean(),
  discountClaim: z.string().nullable(),
  provider: z.string(),
  paymentStatus: z.string(),
  paymentReference: z.string().nullable(),
  lines: z.array(Line),
  /** Subtotal, discount, shipping, tax and total, in minor units. */
  amounts: z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]),
})
export type OrderRow = z.output<typeof OrderRow>

const Ledger = z.object({
  orders: z.array(OrderRow),
  stock: z.array(z.object({ variantId: z.string(), onHand: z.number(), reserved: z.number() })),
  /** Lines of carts that can still be bought. */
  cartLines: z.array(z.object({ cartId: z.string(), variantId: z.string(), quantity: z.number() })),
  sessions: z.array(z.object({ id: z.string(), status: z.string(), url: z.string().nullable() })),
  payments: z.array(
    z.object({
      reference: z.string(),
      provider: z.string(),
      orderId: z.string().nullable(),
      status: z.string(),
      amountMinor: z.number(),
    }),
  ),
  /** The payments of buyers on pages, in the records of the provider. */
  paidAtProvider: z.array(z.object({ reference: z.string(), amountMinor: z.number() })),
  refunds: z.array(
    z.object({
      id: z.string(),
      orderId: z.string(),
      paymentReference: z.string().nullable(),
      amountMinor: z.number(),
      status: z.string(),
      isOfDuplicate: z.boolean(),
      reason: z.string().nullable(),
    }),
  ),
  /** The refunds in the records of the provider. */
  returnedByProvider: z.array(z.object({ id: z.string(), paymentReference: z.string(), amountMinor: z.number() })),
  codes: z.array(
    z.object({
      code: z.string(),
      used: z.number(),
      usageLimit: z.number().nullable(),
      perCustomerLimit: z.number().nullable(),
    }),
  ),
  redemptions: z.array(z.object({ id: z.string(), code: z.string(), status: z.string() })),
})
/** The records of all services about one run. */
export type Ledger = z.output<typeof Ledger>

/**
 * Reads the records of the services about the variants and the discount codes of a run. It is one statement, so that
 * all records have the same time.
 */
export async function readLedger(
  { sql }: Pick<TestShop, 'sql'>,
  { variantIds, codes }: { variantIds: readonly string[]; codes: readonly string[] },
): Promise<Ledger> {
  const [row] = await sql<{ ledger: unknown }>(LEDGER, [
    variantIds,
    codes,
    variantIds.map((variantId) => JSON.stringify([{ variantId }])),
  ])
  return Ledger.parse(row?.ledger)
}

const LEDGER = `
  with orders_of_run as (
    select * from orders.orders where document->'lines' @> any($3::jsonb[])
  ), sessions_of_run as (
    select * from orders.payment_sessions where document->'lines' @> any($3::jsonb[])
  ), payments_of_run as (
    select * from orders.payments
    where order_id in (select id from orders_of_run) or session_id in (select id from sessions_of_run)
  )
  select jsonb_build_object(
    'orders', coalesce((select jsonb_agg(jsonb_build_object(
      'id', id, 'number', number, 'cartId', cart_id, 'email', email, 'status', status, 'attention', attention,
      'capturedMinor', captured_minor, 'refundedMinor', refunded_minor, 'isRestocked', restocked_at is not null,
      'hasGoods', claim is not null, 'discountClaim', discount_claim, 'provider', payment_provider,
      'paymentStatus', payment_status, 'paymentReference', payment_reference,
      'lines', (select jsonb_agg(jsonb_build_object('id', line->>'id', 'variantId', line->>'variantId',
        'quantity', line->'quantity', 'lineTotal', line->'lineTotal'->'amount'))
        from jsonb_array_elements(document->'lines') as line),
      'amounts', jsonb_build_array(document->'subtotal'->'amount', document->'discount'->'amount',
        document->'shipping'->'amount', document->'tax'->'amount', document->'total'->'amount')) order by placed_at, id)
      from orders_of_run), '[]'),
    'stock', coalesce((select jsonb_agg(jsonb_build_object('variantId', variant_id, 'onHand', on_hand, 'reserved', reserved))
      from catalog.stock where variant_id = any($1::text[])), '[]'),
    'cartLines', coalesce((select jsonb_agg(jsonb_build_object('cartId', carts.id, 'variantId', line->>'variantId',
      'quantity', line->'quantity'))
      from cart.carts, jsonb_array_elements(lines) as line
      where carts.status = 'open' and lines @> any($3::jsonb[]) and line->>'variantId' = any($1::text[])), '[]'),
    'sessions', coalesce((select jsonb_agg(jsonb_build_object('id', id, 'status', status, 'url', url))
      from sessions_of_run), '[]'),
    'payments', coalesce((select jsonb_agg(jsonb_build_object('reference', reference, 'provider', provider,
      'orderId', order_id, 'status', status, 'amountMinor', amount_minor)) from payments_of_run), '[]'),
    'paidAtProvider', coalesce((select jsonb_agg(jsonb_build_object('reference', payment_reference,
      'amountMinor', total_minor)) from orders.demo_sessions
      where session_id in (select id from sessions_of_run) and payment_reference is not null), '[]'),
    'refunds', coalesce((select jsonb_agg(jsonb_build_object('id', id, 'orderId', order_id,
      'paymentReference', payment_reference, 'amountMinor', amount_minor, 'status', status,
      'isOfDuplicate', of_duplicate, 'reason', reason))
      from orders.refunds where order_id in (select id from orders_of_run)), '[]'),
    'returnedByProvider', coalesce((select jsonb_agg(jsonb_build_object('id', id, 'paymentReference', payment_reference,
      'amountMinor', amount_minor)) from orders.demo_refunds
      where payment_reference in (select reference from payments_of_run)), '[]'),
    'codes', coalesce((select jsonb_agg(jsonb_build_object('code', code, 'used', used, 'usageLimit', usage_limit,
      'perCustomerLimit', per_customer_limit)) from cart.discounts where code = any($2::text[])), '[]'),
    'redemptions', coalesce((select jsonb_agg(jsonb_build_object('id', id, 'code', code, 'status', status))
      from cart.discount_redemptions where code = any($2::text[])), '[]')) as ledger`

/**
 * Ends the time limit of held codes: the shop was too busy to finish a checkout (503), and its hold would last until
 * the limit. The shop then releases the code, or counts it when there is an order.
 */
export async function endHoldsOfCodes(shop: Pick<TestShop, 'sql'>, codes: readonly string[]): Promise<void> {
  await shop.sql(`update cart.discount_redemptions set expires_at = now() where status = 'held' and code = any($1)`, [
    codes,
  ])
}

/**
 * The same for the goods that a checkout held. Catalog releases them when orders has recorded that there will be no
 * order.
 */
export async function endHoldsOfGoods(shop: Pick<TestShop, 'sql'>, variantIds: readonly string[]): Promise<void> {
  await shop.sql(
    `update catalog.reservations set expires_at = now()
     where status = 'held' and exists (
       select from jsonb_array_elements(lines) line where line->>'variantId' = any($1))`,
    [variantIds],
  )
}

/** Indexes of the test database: without them each query about a run would read the orders of all runs. */
export const INDEXES = [
  `create index on orders.orders using gin ((document->'lines') jsonb_path_ops)`,
  `create index on orders.payment_sessions using gin ((document->'lines') jsonb_path_ops)`,
  `create index on cart.carts using gin (lines jsonb_path_ops)`,
  `create index on orders.demo_refunds (payment_reference)`,
  `create index on cart.discount_redemptions (code)`,
]
