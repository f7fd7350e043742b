import { sql } from 'kysely'
import type { OrderStatus, Tracking } from '@storefront/contracts'
import type { Tx } from '../database.ts'

// Callers must have locked the orders (`lockOrders`).

export async function saveStatus(tx: Tx, orderId: string, status: OrderStatus): Promise<void> {
  await tx.updateTable('orders').set({ status }).where('id', '=', orderId).execute()
}

/**
 * A cancellation clears every reason for attention except money that must still be refunded: money received and neither
 * refunded nor on its way back, or a second payment.
 * @returns whether a refund is still owed
 */
export async function saveCancelled(tx: Tx, orderId: string): Promise<{ isRefundDue: boolean }> {
  const { rows } = await sql<{ isRefundDue: boolean }>`
    update orders set status = 'cancelled', attention = case
      when attention = 'refund_due' or captured_minor > refunded_minor + (
        select coalesce(sum(amount_minor), 0) from refunds
        where order_id = orders.id and status = 'pending' and not of_duplicate) then 'refund_due' end
    where id = ${orderId} returning attention is not null as "isRefundDue"`.execute(tx)
  return { isRefundDue: rows[0]?.isRefundDue ?? false }
}

/** @returns false when its goods were on sale again already */
export async function saveRestocked(tx: Tx, orderId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('orders')
    .set({ restocked_at: at })
    .where('id', '=', orderId)
    .where('restocked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function saveTracking(tx: Tx, orderId: string, tracking: Tracking | null): Promise<void> {
  const stored = tracking === null ? null : JSON.stringify(tracking)
  await sql`update orders set tracking = ${stored}::jsonb where id = ${orderId}`.execute(tx)
}

/** @param keys the same in the form that filters compare */
export async function saveTags(
  tx: Tx,
  orderId: string,
  tags: readonly string[],
  keys: readonly string[],
): Promise<void> {
  await tx
    .updateTable('orders')
    .set({ tags: [...tags], tag_keys: [...keys] })
    .where('id', '=', orderId)
    .execute()
}

export async function clearAttention(tx: Tx, orderId: string): Promise<void> {
  await tx.updateTable('orders').set({ attention: null }).where('id', '=', orderId).execute()
}
