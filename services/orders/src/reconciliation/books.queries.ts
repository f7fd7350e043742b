import { sql } from 'kysely'
import type { Finding } from '@storefront/contracts'
import type { Database } from '../database.ts'

const MOST = 200

interface Moments {
  /** What is younger may still be on its way. */
  settled: Date
  /** What is older is overdue. */
  overdue: Date
  /** What is older was compared often enough. */
  since: Date
}

/**
 * What of payments, refunds, orders and queues does not add up here. All of it is kept in balance by the transactions that
 * write it: whatever shows up was changed from outside, or is a fault of ours.
 */
export async function findFaults(db: Database, { settled, overdue, since }: Moments): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    (select 'payment_without_order' as kind, provider || ' ' || reference as subject,
       'This payment was captured and belongs to no order. Give the money back at the provider, or place its order.' as message
     from payments where status = 'captured' and order_id is null and received_at < ${settled} limit ${MOST})
    union all
    (select 'payment_beside_order', p.provider || ' ' || p.reference,
       'This payment came beside the one that order ' || o.number || ' was paid with, and nothing gives it back.'
     from payments p join orders o on o.id = p.order_id
     where p.status = 'captured' and p.received_at > ${since} and p.received_at < ${settled}
       and (p.provider, p.reference) is distinct from (o.payment_provider, o.payment_reference)
       and not exists (
         select 1 from refunds r
         where r.order_id = o.id and r.of_duplicate and r.provider = p.provider and r.payment_reference = p.reference)
     limit ${MOST})
    union all
    (select 'payment_not_noted', o.id,
       'Order ' || o.number || ' notes money that is not among its payments. Compare with the provider.'
     from orders o
     where o.captured_minor > 0 and o.placed_at > ${since} and o.placed_at < ${settled}
       and not exists (
         select 1 from payments p
         where p.provider = o.payment_provider and p.reference = o.payment_reference and p.order_id = o.id
           and p.status = 'captured' and p.amount_minor = o.captured_minor)
     limit ${MOST})
    union all
    (select 'refunds_do_not_add_up', o.id,
       'The refunds of order ' || o.number || ' are not what it notes as given back. Compare with the provider.'
     from orders o
     where o.refunded_minor <> coalesce((
       select sum(r.amount_minor) from refunds r where r.order_id = o.id and r.status = 'succeeded' and not r.of_duplicate), 0)
       and o.id in (select order_id from refunds union select id from orders where refunded_minor > 0) limit ${MOST})
    union all
    (select 'paid_without_money', id,
       'Order ' || number || ' counts as paid and no money is noted. Compare with the provider.'
     from orders where status = 'paid' and captured_minor = 0 and document->'total'->>'amount' <> '0'
       and placed_at > ${since} and placed_at < ${settled} limit ${MOST})
    union all
    (select 'demo_payment_missing', id,
       'Order ' || number || ' waits for the demo provider. Look whether the event order.placed is among the dead letters.'
     from orders where status = 'placed' and payment_provider = 'demo' and payment_status = 'pending'
       and placed_at > ${since} and placed_at < ${overdue} limit ${MOST})
    union all
    (select 'webhook_stuck', provider || ' ' || event_id,
       'This webhook could not be worked off: ' || coalesce(last_error, 'nobody has tried') || '.'
     from provider_events where status = 'failed' or (status = 'pending' and received_at < ${overdue}) limit ${MOST})
    union all
    (select 'refund_stuck', r.id,
       'This refund of order ' || o.number || ' is not settled: ' || coalesce(r.last_error, 'nobody has tried') || '.'
     from refunds r join orders o on o.id = r.order_id
     where r.status = 'pending' and r.created_at < ${overdue} limit ${MOST})
    union all
    (select 'session_overdue', id, 'This checkout should have ended: nobody could ask its provider what became of it.'
     from payment_sessions where status in ('creating', 'open') and expires_at < ${overdue} limit ${MOST})
    union all
    (select 'event_not_sent', event_id, 'This event waits to be published. Look whether NATS can be reached.'
     from (select event_id, payload from outbox order by id limit 1) oldest
     where (payload::jsonb->>'at')::timestamptz < ${overdue})`.execute(db)
  return rows
}

/** A hold and what stands on it, with the key that the next page begins behind. */
export interface DecidedClaim {
  claim: string
  /** The order that stands on it; none when it was given up. */
  order: { id: string; number: string } | null
  /** As text: a Date would lose the microseconds. */
  decidedAt: string
}

/** Holds of goods that were decided, oldest first, from a moment on or behind the last one of the page before. */
export async function findDecidedClaims(
  db: Database,
  page: { from: { decidedAt: string; claim: string }; before: Date; limit: number },
): Promise<DecidedClaim[]> {
  const { from, before, limit } = page
  const { rows } = await sql<DecidedClaim>`
    select c.claim, c.decided_at::text as "decidedAt",
      case when o.id is not null then jsonb_build_object('id', o.id, 'number', o.number) end as "order"
    from claims c left join orders o on o.claim = c.claim
    where (c.decided_at, c.claim) > (${from.decidedAt}::timestamptz, ${from.claim}) and c.decided_at < ${before}
      and c.claim like 'res\_%' and (c.verdict = 'abandoned' or o.id is not null)
    order by c.decided_at, c.claim limit ${limit}`.execute(db)
  return rows
}

/** The same for holds that are known by their claims. */
export async function findClaims(db: Database, claims: readonly string[]): Promise<DecidedClaim[]> {
  const { rows } = await sql<DecidedClaim>`
    select c.claim, c.decided_at::text as "decidedAt",
      case when o.id is not null then jsonb_build_object('id', o.id, 'number', o.number) end as "order"
    from claims c left join orders o on o.claim = c.claim where c.claim = any(${[...claims]})`.execute(db)
  return rows
}

interface StoredReport {
  report: unknown
  /** As text: a Date would lose the microseconds. */
  checkedUntil: string
  disagreeing: string[]
}

export async function findReport(db: Database): Promise<StoredReport | undefined> {
  const { rows } = await sql<StoredReport>`
    select report, checked_until::text as "checkedUntil", disagreeing from reconciliation`.execute(db)
  return rows[0]
}

export async function saveReport(
  db: Database,
  report: unknown,
  { checkedUntil, disagreeing }: Omit<StoredReport, 'report'>,
): Promise<void> {
  await sql`
    insert into reconciliation (report, checked_until, disagreeing)
    values (${JSON.stringify(report)}::jsonb, ${checkedUntil}::timestamptz, ${disagreeing}::text[])
    on conflict (only_row) do update
    set report = excluded.report, checked_until = excluded.checked_until, disagreeing = excluded.disagreeing`.execute(
    db,
  )
}

export interface EndedSession {
  id: string
  provider: string
  providerSession: string | null
}

/** Sessions that ended without an order some time ago and were not asked for again since. */
export async function findEndedSessions(
  db: Database,
  { endedBefore, limit }: { endedBefore: Date; limit: number },
): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    select id, provider, provider_session as "providerSession" from payment_sessions
    where reconciled_at is null and status in ('cancelled', 'expired', 'failed', 'superseded')
      and expires_at < ${endedBefore}
    order by created_at limit ${limit}`.execute(db)
  return rows
}

export async function markReconciled(db: Database, sessionId: string, now: Date): Promise<void> {
  await sql`update payment_sessions set reconciled_at = ${now} where id = ${sessionId}`.execute(db)
}
