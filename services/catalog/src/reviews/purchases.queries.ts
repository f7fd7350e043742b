import { plannedOnce } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Tx } from '../database.ts'

export interface PlacedOrder {
  order: { id: string; lines: readonly { variantId: string }[] }
  customerId?: string | undefined
}

/**
 * Records customers' purchases, whose payments may already be recorded. Guests and customers whose accounts were
 * deleted are left out.
 */
export async function recordPurchases(tx: Tx, placed: readonly PlacedOrder[]): Promise<void> {
  const lines = placed.flatMap(({ order, customerId }) =>
    customerId === undefined ? [] : order.lines.map(({ variantId }) => ({ orderId: order.id, customerId, variantId })),
  )
  if (lines.length === 0) return
  // Joined with stock, which has the rows of variants that were deleted since the order, too.
  await sql`
    insert into purchases (order_id, customer_id, product_ids)
    select line.order_id, line.customer_id, array_agg(distinct s.product_id)
    from unnest(
      ${lines.map((line) => line.orderId)}::text[], ${lines.map((line) => line.customerId)}::text[],
      ${plannedOnce(lines.map((line) => line.variantId))}
    ) as line (order_id, customer_id, variant_id) join stock s on s.variant_id = line.variant_id
    where not exists (select 1 from former_customers f where f.customer_id = line.customer_id)
    group by line.order_id, line.customer_id order by line.order_id
    on conflict (order_id) do update set customer_id = excluded.customer_id, product_ids = excluded.product_ids
    /* sent with the next */`.execute(tx)
}

/** Records that orders were paid; their customers may be recorded later. */
export async function recordPayments(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return
  await sql`
    insert into purchases (order_id, paid) select distinct id, true from unnest(${orderIds}::text[]) as id order by id
    on conflict (order_id) do update set paid = true /* sent with the next */`.execute(tx)
}

/** Whether a customer paid for an order with this product in it. */
export const hasBought = (customerId: unknown, productId: unknown) => sql<boolean>`exists (
  select 1 from purchases where purchases.customer_id = ${customerId} and paid and ${productId} = any(product_ids))`
