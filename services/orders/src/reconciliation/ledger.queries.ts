import { sql } from 'kysely'
import type { Finding } from '@storefront/contracts'
import { anyUnlocked } from '@storefront/postgres'
import type { Database, Tx } from '../database.ts'
import { PAYMENT_PROVIDERS } from '../payments/providers.ts'
import { UNKNOWN_YET } from '../webhooks/event-outcome.ts'

/** The maximum number of findings of one kind: the whole report shows no more. */
const MAX_FOUND = 1000

export interface ComparisonScope {
  /** Younger records may still be in progress. */
  settled: Date
  /** What is older is overdue. */
  overdue: Date
  /** Older records were compared often enough, except those that disagreed the last time. */
  since: Date
  again: { orderIds: readonly string[]; payments: readonly { provider: string; reference: string }[] }
}

/**
 * The inconsistencies of payments, refunds, orders and queues. The transactions that write them keep them consistent:
 * a finding was caused from outside, or is a bug.
 */
export async function findFaults(
  db: Database,
  { settled, overdue, since, again }: ComparisonScope,
): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    with recent_orders as materialized (
      select id, number, status, placed_at, captured_minor, payment_provider, payment_reference, payment_status,
        document->'total'->>'amount' as total
      from orders
      -- Both values, because only then the index for the merchant's list is used.
      where (attention is not null) = any(array[true, false]) and placed_at > ${since} and placed_at < ${settled}
      union all
      select id, number, status, placed_at, captured_minor, payment_provider, payment_reference, payment_status,
        document->'total'->>'amount'
      from orders where id = any(${[...again.orderIds]}) and placed_at <= ${since}),
    recent_payments as materialized (
      select provider, reference, order_id, amount_minor from payments
      where status = 'captured' and received_at > ${since} and received_at < ${settled}
      union all
      select p.provider, p.reference, p.order_id, p.amount_minor
      from unnest(${again.payments.map(({ provider }) => provider)}::text[],
        ${again.payments.map(({ reference }) => reference)}::text[]) as known (provider, reference)
      join payments p using (provider, reference) where p.status = 'captured' and p.received_at <= ${since})
    (select 'payment_without_order' as kind, provider || ' ' || reference as subject,
       'This payment was captured and belongs to no order. Refund it at the provider, or place its order.' as message
     from payments where status = 'captured' and order_id is null and received_at < ${settled} limit ${MAX_FOUND})
    union all
    (select 'payment_beside_order', p.provider || ' ' || p.reference,
       'Order ' || o.number || ' was already paid with another payment, and this one has no refund. '
         || case when p.provider = any(${[...PAYMENT_PROVIDERS]}) then 'Refund it at the provider.'
              else 'Refund it by hand, then clear the attention flag of the order.' end
     from recent_payments p join orders o on o.id = p.order_id
     where p.amount_minor > 0
       -- The refund of a second payment that was taken by hand is not recorded: the merchant clears the flag instead.
       and (p.provider = any(${[...PAYMENT_PROVIDERS]}) or o.attention is not null)
       and (p.provider, p.reference) is distinct from (o.payment_provider, o.payment_reference)
       and not exists (
         select 1 from refunds r
         where r.order_id = o.id and r.of_duplicate and r.provider = p.provider and r.payment_reference = p.reference
           and r.status <> 'failed')
     limit ${MAX_FOUND})
    union all
    (select 'payment_not_noted', o.id,
       'Order ' || o.number || ' records money, but has no payment of that amount. Compare it with the provider.'
     from recent_orders o
     where o.captured_minor > 0
       and not exists (
         select 1 from payments p
         where p.provider = o.payment_provider and p.reference = o.payment_reference and p.order_id = o.id
           and p.status = 'captured' and p.amount_minor = o.captured_minor)
     limit ${MAX_FOUND})
    union all
    (select 'refunds_do_not_add_up', o.id,
       'The refunds of order ' || o.number || ' do not add up to its refunded amount. Compare them with the provider.'
     from orders o
     where o.id in (
       select order_id from refunds where settled_at > ${since}
       union select id from recent_orders
       union select unnest(${[...again.orderIds]}::text[]))
       and o.refunded_minor <> coalesce((
         select sum(r.amount_minor) from refunds r
         where r.order_id = o.id and r.status = 'succeeded' and not r.of_duplicate), 0)
     limit ${MAX_FOUND})
    union all
    (select 'paid_without_money', id,
       'Order ' || number || ' is paid but has no captured payment. Compare it with the provider.'
     from recent_orders o where status = 'paid' and captured_minor = 0 and total <> '0'
       -- A merchant may accept a payment of 0.
       and not exists (
         select 1 from payments p
         where p.provider = o.payment_provider and p.reference = o.payment_reference and p.order_id = o.id
           and p.status = 'captured')
     limit ${MAX_FOUND})
    union all
    (select 'demo_payment_missing', id,
       'Order ' || number || ' waits for the demo provider. Check whether the event order.placed is among the dead letters.'
     from recent_orders where status = 'placed' and payment_provider = 'demo' and payment_status = 'pending'
       and placed_at < ${overdue} limit ${MAX_FOUND})
    union all
    (select 'webhook_stuck', provider || ' ' || event_id,
       'This webhook could not be processed (' || coalesce(last_error, 'not tried yet') || '). Fix the cause'
         || case when status = 'failed' then ', then retry it with POST /admin/reconciliation { "retryWebhooks": true }.'
            else '; it is retried automatically.' end
     from provider_events
     -- A refund of an unknown payment waits for it, and may be one of another shop with the same account.
     where status = 'failed'
       or (status = 'pending' and received_at < ${overdue} and last_error is distinct from ${UNKNOWN_YET})
     limit ${MAX_FOUND})
    union all
    (select 'refund_stuck', r.id,
       'This refund of order ' || o.number || ' is not settled (' || coalesce(r.last_error, 'not tried yet')
         || '). Look for it at ' || r.provider || '; it is retried automatically.'
     from refunds r join orders o on o.id = r.order_id
     where r.status = 'pending' and r.created_at < ${overdue} limit ${MAX_FOUND})
    union all
    (select 'session_overdue', id,
       'This checkout should have ended. Check whether ' || provider || ' can be reached; it is retried automatically.'
     from payment_sessions where status in ('creating', 'open') and coalesce(due_since, expires_at) < ${overdue} limit ${MAX_FOUND})
    union all
    (select 'event_not_sent', event_id, 'This event waits to be published. Check whether NATS can be reached.'
     from (select event_id, payload from outbox order by id limit 1) oldest
     where (payload::jsonb->>'at')::timestamptz < ${overdue})`.execute(db)
  return rows
}

/** A hold and its order, with the key that the next page starts after. */
export interface DecidedClaim {
  claim: string
  /** The order that uses it; none when it was released, or when the order is gone. */
  order: { id: string; number: string } | null
  /** As text: a Date would lose the microseconds. */
  decidedAt: string
}

/** Holds of goods that were decided, oldest first, from a time on or after the last one of the previous page. */
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
      -- Discount redemptions are compared by cart.
      and c.claim like 'res\_%'
    order by c.decided_at, c.claim limit ${limit}`.execute(db)
  return rows
}

/** The same for holds given by their claims. */
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

/** The number of inconsistencies at the last reconciliation. */
export async function countFindings(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select jsonb_array_length(report->'items') as count from reconciliation`.execute(db)
  return rows[0]?.count ?? 0
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
    set report = excluded.report, checked_until = excluded.checked_until, disagreeing = excluded.disagreeing
    -- Another replica may have compared at the same time: the later comparison counts.
    where reconciliation.report->>'checkedAt' <= excluded.report->>'checkedAt'`.execute(db)
}

/** Queues webhooks that were given up for processing from the start. @returns those, with their providers */
export async function retryFailedWebhooks(tx: Tx, now: Date): Promise<{ provider: string; eventId: string }[]> {
  const failed = sql`select ctid from provider_events where status = 'failed' order by received_at`
  const { rows } = await sql<{ provider: string; eventId: string }>`
    update provider_events set status = 'pending', attempts = 0, next_attempt_at = ${now}
    where ctid = ${anyUnlocked(failed, MAX_FOUND)} returning provider, event_id as "eventId"`.execute(tx)
  return rows
}
