import { sql } from 'kysely'
import type { Database, SessionStatus, Tx } from '../database.ts'

export interface CapturedPayment {
  provider: string
  /** The provider's reference of the payment. */
  reference: string
  orderId: string
  sessionId?: string | undefined
  amountMinor: number
  currency: string
  method: string | null
  /** Paid on the page of another cart, for goods that this order has: it is refunded. */
  isForOtherCart?: true
}

/**
 * Records captured payments, except those that another order waits for: it may have been named since it was looked up.
 * @returns those that were not recorded as captured before, as `provider reference`
 */
export async function recordCaptures(tx: Tx, payments: readonly CapturedPayment[], at: Date): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    insert into payments as known (provider, reference, order_id, session_id, status, amount_minor, currency, method,
      received_at)
    select distinct on (provider, reference) provider, reference, order_id, session_id, 'captured', amount_minor, currency,
      method, ${at}::timestamptz
    from unnest(
      ${payments.map((each) => each.provider)}::text[], ${payments.map((each) => each.reference)}::text[],
      ${payments.map((each) => each.orderId)}::text[], ${payments.map((each) => each.sessionId ?? null)}::text[],
      ${payments.map((each) => each.amountMinor)}::bigint[], ${payments.map((each) => each.currency)}::text[],
      ${payments.map((each) => each.method)}::text[]
    ) with ordinality as t (provider, reference, order_id, session_id, amount_minor, currency, method, place)
    order by provider, reference, place
    on conflict (provider, reference) do update set status = 'captured', order_id = excluded.order_id,
      session_id = coalesce(known.session_id, excluded.session_id), amount_minor = excluded.amount_minor,
      currency = excluded.currency, method = excluded.method
    where known.status <> 'captured' and (known.order_id is null or known.order_id = excluded.order_id)
    returning provider || ' ' || reference as key`.execute(tx)
  return new Set(rows.map((row) => row.key))
}

/** The order that a payment is for, if that is known, whether its money was received or not. */
export async function findOrderNamedByPayment(
  db: Database | Tx,
  provider: string,
  reference: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ orderId: string | null }>`
    select order_id as "orderId" from payments where provider = ${provider} and reference = ${reference}`.execute(db)
  return rows[0]?.orderId ?? undefined
}

/** Records a payment that is not captured. One that is captured stays so. */
export async function recordUncaptured(
  tx: Tx,
  payment: Omit<CapturedPayment, 'orderId'> & { orderId: string | undefined; status: 'authorized' | 'failed' },
  at: Date,
): Promise<void> {
  await sql`
    insert into payments as known (provider, reference, order_id, session_id, status, amount_minor, currency, method,
      received_at)
    values (${payment.provider}, ${payment.reference}, ${payment.orderId ?? null}, ${payment.sessionId ?? null},
      ${payment.status}, ${payment.amountMinor}, ${payment.currency}, ${payment.method}, ${at}::timestamptz)
    on conflict (provider, reference) do update set status = excluded.status,
      order_id = coalesce(known.order_id, excluded.order_id)
    where known.status <> 'captured'`.execute(tx)
}

export async function findOrderOfPayment(
  db: Database | Tx,
  { provider, reference }: { provider: string; reference: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id as "orderId" from payments
    where provider = ${provider} and reference = ${reference} and status = 'captured' and order_id is not null`.execute(
    db,
  )
  return rows[0]?.orderId
}

export interface RefundToQueue {
  id: string
  orderId: string
  provider: string
  paymentReference: string
  amountMinor: number
  currency: string
  reason: string
  ofDuplicate: boolean
}

/** Queues automatic refunds: the worker returns the money. */
export async function queueRefunds(tx: Tx, refunds: readonly RefundToQueue[], at: Date): Promise<void> {
  if (refunds.length === 0) return
  await sql`
    insert into refunds (id, order_id, provider, payment_reference, amount_minor, currency, reason, restock, status,
      of_duplicate, created_at, next_attempt_at)
    select id, order_id, provider, payment_reference, amount_minor, currency, reason, false, 'pending', of_duplicate,
      ${at}::timestamptz, ${at}::timestamptz
    from unnest(
      ${refunds.map((each) => each.id)}::text[], ${refunds.map((each) => each.orderId)}::text[],
      ${refunds.map((each) => each.provider)}::text[], ${refunds.map((each) => each.paymentReference)}::text[],
      ${refunds.map((each) => each.amountMinor)}::bigint[], ${refunds.map((each) => each.currency)}::text[],
      ${refunds.map((each) => each.reason)}::text[], ${refunds.map((each) => each.ofDuplicate)}::boolean[]
    ) as t (id, order_id, provider, payment_reference, amount_minor, currency, reason, of_duplicate)`.execute(tx)
}

/** The state of a session, and the number of its order once there is one; or the number of an order. */
export async function findPaymentState(
  db: Database,
  { session = null, order = null }: { session?: string | null | undefined; order?: string | null | undefined },
): Promise<{ status: SessionStatus; number: string | null } | undefined> {
  const { rows } = await sql<{ status: SessionStatus; number: string | null }>`
    select s.status, o.number from payment_sessions s left join orders o on o.id = s.order_id where s.id = ${session}
    union all select 'completed', number from orders where id = ${order}`.execute(db)
  return rows[0]
}
