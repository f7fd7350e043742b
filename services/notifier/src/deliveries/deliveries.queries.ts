import { plannedOnce } from '@storefront/postgres'
import { sql } from 'kysely'
import { sampledTraceparent } from '@storefront/service'
import type { DeliveryStatus, Tx } from '../database.ts'
import type { WebhookResponse } from './send-webhook.ts'

export interface NewDelivery {
  id: string
  endpointId: string
  eventId: string
  type: string
  body: string
  subject: string
  mergeable: boolean
  version: number | null
  mergedEvents: number
}

/**
 * Queues deliveries. One that may merge replaces the unsent one on its subject, unless it is older; one that is older
 * than the latest on its subject is dropped. At most one per subject may be mergeable. A replacement is sorted after
 * everything that was queued on its subject meanwhile, a deletion for example; it is due at the time of the replaced
 * one.
 */
export async function insertDeliveries(tx: Tx, deliveries: NewDelivery[], now: Date): Promise<void> {
  if (deliveries.length === 0) return
  const column = <Key extends keyof NewDelivery>(key: Key) => deliveries.map((delivery) => delivery[key])
  // In the order of the subjects, so that two replicas with overlapping batches cannot deadlock. The endpoint is compared
  // as an expression, as in a claim, so that no index of the log fits.
  await sql`
    insert into deliveries
      (id, endpoint_id, event_id, type, body, subject, mergeable, version, merged_events, next_attempt_at, created_at,
        traceparent)
    select n.id, n.endpoint_id, n.event_id, n.type, n.body, n.subject, n.mergeable, n.version, n.merged_events,
      ${now}::timestamptz, ${now}::timestamptz, ${sampledTraceparent()}::text
    from unnest(${plannedOnce(column('id'))}, ${column('endpointId')}::text[], ${column('eventId')}::text[],
      ${column('type')}::text[], ${column('body')}::text[], ${column('subject')}::text[],
      ${column('mergeable')}::boolean[], ${column('version')}::bigint[], ${column('mergedEvents')}::integer[])
      with ordinality
      as n (id, endpoint_id, event_id, type, body, subject, mergeable, version, merged_events, position)
    where (
        select true from deliveries d where d.event_id = n.event_id and d.endpoint_id || '' = n.endpoint_id limit 1) is null
      and not (n.mergeable and exists (
        select from deliveries d
        where d.subject = n.subject and d.version > n.version and d.endpoint_id || '' = n.endpoint_id))
    order by n.endpoint_id, n.subject, n.position
    on conflict (endpoint_id, subject) where mergeable and status = 'queued' do update
      set seq = default, event_id = excluded.event_id, type = excluded.type, body = excluded.body, version = excluded.version,
        merged_events = deliveries.merged_events + excluded.merged_events + 1, traceparent = excluded.traceparent
      where excluded.version >= deliveries.version /* sent with the next */`.execute(tx)
}

export interface DeliveryOutcome extends Omit<WebhookResponse, 'retryAfter'> {
  deliveryId: string
  endpointId: string
  at: Date
  result: Extract<DeliveryStatus, 'delivered' | 'waiting' | 'dead'>
  /** Whether the receiver failed, and not this process: that uses up the retry schedule. */
  failed: boolean
  /** How often it had been replayed when it was claimed: a result from before a replay does not count. */
  replays: number
  nextAttemptAt: Date | null
}

/**
 * Records the results of attempts. Another worker may hold a row by now, because this one was silent for too long:
 * then only the attempt is stored, unless it succeeded and the row is still waiting.
 */
export async function noteOutcomes(tx: Tx, worker: string, outcomes: DeliveryOutcome[], now: Date): Promise<void> {
  const column = <Key extends keyof DeliveryOutcome>(key: Key) => outcomes.map((outcome) => outcome[key])
  await sql`
    with outcome as materialized (
      select * from unnest(${plannedOnce(column('deliveryId'))}, ${column('at')}::timestamptz[],
        ${column('durationMs')}::integer[], ${column('status')}::integer[], ${column('error')}::text[],
        ${column('answer')}::text[], ${column('result')}::text[], ${column('nextAttemptAt')}::timestamptz[],
        ${column('failed')}::boolean[], ${column('replays')}::integer[])
        as o (delivery_id, at, duration_ms, status, error, answer, result, next_attempt_at, failed, replays)
    ), noted as (
      update deliveries d
      set status = o.result, attempts = d.attempts + 1, failures = d.failures + o.failed::integer, leased_by = null, lease_until = null,
        next_attempt_at = coalesce(o.next_attempt_at, d.next_attempt_at), last_status = o.status, last_error = o.error,
        settled_at = case when o.result = 'waiting' then null else ${now}::timestamptz end
      from outcome o
      where d.id = any(${plannedOnce(column('deliveryId'))}) and d.id = o.delivery_id and d.replays = o.replays
        -- Not as conditions on the status: their indexes have an entry of every delivery since they were last vacuumed.
        and case d.status when 'sending' then d.leased_by = ${worker} when 'waiting' then o.result = 'delivered' else false end
    )
    insert into attempts (delivery_id, at, duration_ms, status, error, answer)
    select delivery_id, at, duration_ms, status, error, answer from outcome
    where (select true from deliveries d where d.id = outcome.delivery_id) /* sent with the next */`.execute(tx)
}
