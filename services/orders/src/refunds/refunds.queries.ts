import { sql } from 'kysely'
import { anyUnlocked } from '@storefront/postgres'
import type { PaymentStatus, RefundedLine } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { StoredRefund } from './refund.ts'

const COLUMNS = sql`id, order_id as "orderId", provider, payment_reference as "paymentReference",
  amount_minor as "amountMinor", currency, reason, restock, lines, status, reference, of_duplicate as "ofDuplicate",
  created_at as "createdAt", attempts, request_hash as "requestHash"`

export async function findRefund(db: Database | Tx, id: string): Promise<StoredRefund | undefined> {
  const { rows } = await sql<StoredRefund>`select ${COLUMNS} from refunds where id = ${id}`.execute(db)
  return rows[0]
}

/** The refund with this reference of its provider. */
export async function findRefundByReference(
  db: Database | Tx,
  provider: string,
  reference: string,
): Promise<StoredRefund | undefined> {
  const { rows } = await sql<StoredRefund>`
    select ${COLUMNS} from refunds where provider = ${provider} and reference = ${reference}`.execute(db)
  return rows[0]
}

interface NewRefund extends StoredRefund {
  settledAt: Date | null
  /** The end of the current call to the provider, or the time of the next one. */
  nextAttemptAt: Date | null
}

/** @returns false when another refund already has the provider's reference */
export async function insertRefund(tx: Tx, refund: NewRefund): Promise<boolean> {
  const { rows } = await sql`
    insert into refunds (id, order_id, provider, payment_reference, amount_minor, currency, reason, restock, lines,
      status, reference, of_duplicate, created_at, settled_at, attempts, next_attempt_at, request_hash)
    values (${refund.id}, ${refund.orderId}, ${refund.provider}, ${refund.paymentReference}, ${refund.amountMinor},
      ${refund.currency}, ${refund.reason}, ${refund.restock},
      ${refund.lines === null ? null : JSON.stringify(refund.lines)}::jsonb, ${refund.status}, ${refund.reference},
      ${refund.ofDuplicate}, ${refund.createdAt}, ${refund.settledAt}, ${refund.attempts}, ${refund.nextAttemptAt},
      ${refund.requestHash})
    on conflict (provider, reference) where reference is not null do nothing
    returning id`.execute(tx)
  return rows.length > 0
}

/**
 * Claims refunds that are due, for a replica that now calls their providers until the lease ends. Each counts as
 * attempted from here on.
 */
export async function claimDueRefunds(
  db: Database,
  claim: { limit: number; leaseUntil: Date; now: Date },
): Promise<StoredRefund[]> {
  const due = sql`
    select id from refunds where status = 'pending' and next_attempt_at <= ${claim.now} order by next_attempt_at`
  const { rows } = await sql<StoredRefund>`
    update refunds set attempts = attempts + 1, next_attempt_at = ${claim.leaseUntil}
    where id = ${anyUnlocked(due, claim.limit)} returning ${COLUMNS}`.execute(db)
  return rows
}

/** Records an attempt that did not settle a refund, and when the next one is. The order must be locked. */
export async function notePendingRefund(
  tx: Tx,
  refund: { id: string; reference: string | null; nextAttemptAt: Date; error: string | null },
): Promise<void> {
  await sql`
    update refunds set next_attempt_at = ${refund.nextAttemptAt}, last_error = ${refund.error},
      -- A refund that a merchant recorded meanwhile may have this reference; that is noticed when this one is settled.
      reference = coalesce(reference, (
        select ${refund.reference}::text where not exists (
          select from refunds named where named.provider = refunds.provider and named.reference = ${refund.reference}::text)))
    where id = ${refund.id} and status = 'pending'`.execute(tx)
}

/** Records the result of a refund. Its order must be locked. */
export async function markRefundSettled(
  tx: Tx,
  refund: { id: string; status: 'succeeded' | 'failed'; reference: string | null; error: string | null; at: Date },
): Promise<void> {
  await sql`
    update refunds set status = ${refund.status}, reference = coalesce(reference, ${refund.reference}),
      last_error = ${refund.error}, settled_at = ${refund.at}, next_attempt_at = null
    where id = ${refund.id}`.execute(tx)
}

/** Records that the goods of the order were returned with this refund. */
export async function markRestockedBy(tx: Tx, refundId: string): Promise<void> {
  await sql`update refunds set restocked = true where id = ${refundId}`.execute(tx)
}

/** Records which units of a refund were returned with it. */
export async function saveRestockedLines(tx: Tx, refundId: string, lines: readonly RefundedLine[]): Promise<void> {
  await sql`update refunds set restocked = true, lines = ${JSON.stringify(lines)}::jsonb where id = ${refundId}`.execute(
    tx,
  )
}

/**
 * Whether the remaining goods return, when a refund of units is the last one to succeed: refunds of an amount alone
 * decide that, if they were requested after it.
 * @returns undefined when there are none
 */
export async function findRestockRequestedLater(
  tx: Tx,
  { orderId, createdAt }: Pick<StoredRefund, 'orderId' | 'createdAt'>,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ restock: boolean | null }>`
    select bool_or(restock) as restock from refunds
    where order_id = ${orderId} and created_at > ${createdAt} and status = 'succeeded' and lines is null
      and not of_duplicate`.execute(tx)
  return rows[0]?.restock ?? undefined
}

/** Records the amount of a locked order that was refunded for certain. */
export async function setRefunded(
  tx: Tx,
  order: { id: string; refundedMinor: number; paymentStatus: PaymentStatus },
): Promise<void> {
  await sql`
    update orders set refunded_minor = ${order.refundedMinor}, payment_status = ${order.paymentStatus}
    where id = ${order.id}`.execute(tx)
}

/** Whether every payment beside the order's own was returned. */
const ARE_EXTRA_PAYMENTS_RETURNED = sql<boolean>`(
  (
    select coalesce(sum(p.amount_minor), 0) from payments p
    where p.order_id = orders.id and p.status = 'captured'
      and (p.provider, p.reference) is distinct from (orders.payment_provider, orders.payment_reference)
  ) <= (
    select coalesce(sum(r.amount_minor), 0) from refunds r
    where r.order_id = orders.id and r.of_duplicate and r.status = 'succeeded'))`

/** Whether a payment beside the order's own must still be returned. */
export async function isExtraPaymentOwed(tx: Tx, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from orders where id = ${orderId} and not ${ARE_EXTRA_PAYMENTS_RETURNED}`.execute(tx)
  return rows.length > 0
}

/**
 * Clears the attention flag of a locked order once all that is owed was refunded: nothing is pending, every extra
 * payment was returned and, if the order was canceled, its own payment as well. A canceled order needs no attention
 * for its goods either.
 * @returns whether it was flagged
 */
export async function clearAttentionWhenSettled(tx: Tx, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    update orders set attention = null
    where id = ${orderId}
      and (attention = 'refund_due' or (attention is not null and status = 'cancelled' and refunded_minor > 0))
      and (status <> 'cancelled' or refunded_minor >= captured_minor)
      and not exists (select from refunds r where r.order_id = orders.id and r.status = 'pending')
      and ${ARE_EXTRA_PAYMENTS_RETURNED}
    returning id`.execute(tx)
  return rows.length > 0
}

export async function findCapturedPayment(
  db: Database | Tx,
  provider: string,
  reference: string,
): Promise<{ orderId: string; currency: string } | undefined> {
  const { rows } = await sql<{ orderId: string; currency: string }>`
    select order_id as "orderId", currency from payments
    where provider = ${provider} and reference = ${reference} and status = 'captured' and order_id is not null`.execute(
    db,
  )
  return rows[0]
}
