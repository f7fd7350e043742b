import { sql } from 'kysely'
import type { Database, Row } from '../database.ts'
import type { SendingEndpoint } from '../endpoints/endpoints.queries.ts'
import { OPENS_AFTER } from './circuit.ts'

type ClaimedColumns = Pick<
  Row<'deliveries'>,
  'id' | 'endpoint_id' | 'event_id' | 'body' | 'failures' | 'replays' | 'traceparent'
>

/** Its endpoint is described as it was when the claim began. */
export interface ClaimedDelivery extends ClaimedColumns, Omit<SendingEndpoint, 'id'> {
  /** The only one that an open circuit lets through. */
  probe: boolean
}

/** The number of rows checked for an open circuit: the oldest may have become pointless. */
const PROBES_LOOKED_AT = 16

/**
 * Claims due deliveries for this worker, until it holds `limit` rows for each enabled endpoint. A row is skipped while
 * an earlier one of its subject is open or any is being sent, so that a receiver never gets the older after the newer.
 * A row that a newer event has made pointless is settled instead of claimed, unless it was replayed: it failed, or
 * another replica inserted the newer one at the same moment, or it is a deletion that was consumed, or is tried again,
 * after its product had come back.
 *
 * Nothing is claimed while an endpoint is paused. When its circuit is open and the pause has ended, the replica that
 * advances `paused_until` takes the oldest row, and the others wait for its result.
 *
 * Two replicas that claim two rows of one subject at the same moment conflict at the index deliveries_under_way: the
 * later statement fails as a whole and must be run again.
 */
export async function claimDeliveries(
  db: Database,
  claim: {
    held: { endpointId: string; count: number }[]
    limit: number
    worker: string
    leaseMs: number
    /** How long others wait for the result of a probe, in case its replica dies. */
    probeMs: number
    now: Date
  },
): Promise<ClaimedDelivery[]> {
  const endpointIds = claim.held.map((held) => held.endpointId)
  const counts = claim.held.map((held) => held.count)
  // Leases use the clock of the database, because replicas on several machines share no other. The check for earlier
  // rows is a scalar subquery with exactly the condition of the index deliveries_open: as `not exists`, or with the
  // statuses in an `or`, the planner reads the whole backlog for every claim (measured at 3,000 rows: 36 ms instead of
  // 0.2). Rows being sent are selected with exactly the condition of deliveries_under_way: with the status, all rows
  // being sent were read for every row (1,280 rows: 1.5 s). The three subqueries compare the endpoint as an expression,
  // so that no index of the log fits: without statistics, in a new shop, the planner reads the whole log of the
  // endpoint.
  const { rows } = await sql<ClaimedDelivery>`
    with due as materialized (
      select picked.id, picked.seq, picked.next_attempt_at, picked.outdated, e.id as endpoint_id, e.url,
        e.secret, e.previous_secret, e.previous_until, e.failures >= ${OPENS_AFTER} as is_open
      from endpoints e
      left join unnest(${endpointIds}::text[], ${counts}::integer[]) as held (endpoint_id, count)
        on held.endpoint_id = e.id
      cross join lateral (
        select d.id, d.seq, d.next_attempt_at, d.version is not null and d.replays = 0 and (
            select true from deliveries newer
            where newer.subject = d.subject and newer.version > d.version and newer.endpoint_id || '' = d.endpoint_id
              and (d.mergeable or ((newer.seq < d.seq or newer.status = 'delivered')
                and newer.body::jsonb ->> 'slug' = d.body::jsonb ->> 'slug'))
            limit 1
          ) is not null as outdated
        from deliveries d
        where d.endpoint_id = e.id and d.status in ('queued', 'waiting') and d.next_attempt_at <= ${claim.now}
          and (
            select true from deliveries earlier
            where earlier.subject = d.subject and earlier.seq < d.seq and earlier.endpoint_id || '' = d.endpoint_id
              and earlier.status in ('queued', 'sending', 'waiting')
              and (earlier.status <> 'waiting' or earlier.next_attempt_at <= ${claim.now})
            limit 1
          ) is null
          and (
            select true from deliveries other
            where other.subject = d.subject and other.leased_by is not null and other.endpoint_id || '' = d.endpoint_id
            limit 1
          ) is null
        order by d.next_attempt_at, d.seq
        limit case when e.failures >= ${OPENS_AFTER} then ${PROBES_LOOKED_AT}::integer
          else ${claim.limit}::integer - coalesce(held.count, 0) end
        for update of d skip locked
      ) as picked
      where e.enabled and e.deleted_at is null and (e.paused_until is null or e.paused_until <= ${claim.now})
        and coalesce(held.count, 0) < ${claim.limit}
    ), outdated as (
      update deliveries set status = 'superseded', settled_at = ${claim.now}
      where id in (select id from due where outdated)
    ), probes as (
      select distinct on (endpoint_id) endpoint_id, id from due
      where is_open and not outdated order by endpoint_id, next_attempt_at, seq
    ), probing as (
      update endpoints e set paused_until = ${claim.now}::timestamptz + ${claim.probeMs} * interval '1 ms'
      from probes where e.id = probes.endpoint_id and e.failures >= ${OPENS_AFTER}
        and (e.paused_until is null or e.paused_until <= ${claim.now})
      returning probes.id
    ), claimed as (
      update deliveries d
      set status = 'sending', leased_by = ${claim.worker}, lease_until = now() + ${claim.leaseMs} * interval '1 ms'
      from due left join probing on probing.id = due.id
      where d.id = due.id and not due.outdated and (not due.is_open or probing.id is not null)
      returning d.id, d.endpoint_id, due.url, d.event_id, d.body, d.failures, d.replays, due.is_open as probe, d.seq,
        d.traceparent, due.secret, due.previous_secret, due.previous_until
    )
    select id, endpoint_id, url, event_id, body, failures, replays, probe, traceparent, secret, previous_secret,
      previous_until
    from claimed order by seq`.execute(db)
  return rows
}

/** Renews the worker's leases. @returns the ids of those that it still has */
export async function renewDeliveryLeases(
  db: Database,
  lease: { ids: string[]; worker: string; leaseMs: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set lease_until = now() + ${lease.leaseMs} * interval '1 ms'
    where id = any(${lease.ids}::text[]) and leased_by = ${lease.worker} and status = 'sending'
    returning id`.execute(db)
  return rows.map((row) => row.id)
}

/** A replica's connections have this name in pg_stat_activity: as long as one exists, the replica is alive. */
export const connectionName = (worker: string) => `notifier ${worker}`

/**
 * A replica whose lease ended this many leases ago is gone, even if its connections still show: its machine may be
 * dead.
 */
const GONE_AFTER_LEASES = 4

/**
 * Releases the claims of a dead replica, to be sent again with the same webhook-id: it is unknown how far it came. That
 * uses up nothing of the retry schedule, because the receiver did not fail; the lease separates repetitions. A worker
 * never releases its own claims this way, however late its renewals are. Nor are those of a late replica on a loaded
 * machine: its connections show that it is alive. After a restart of the database all replicas have the time of a lease
 * to reconnect.
 * @returns how many
 */
export async function reclaimDeliveries(
  db: Database,
  reclaim: { worker: string; held: string[]; leaseMs: number; now: Date },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with lost as (
      select id from deliveries
      where status = 'sending' and lease_until < now()
        and case when leased_by = ${reclaim.worker} then not (id = any(${reclaim.held}::text[]))
          else lease_until < now() - ${GONE_AFTER_LEASES * reclaim.leaseMs} * interval '1 ms'
            or (pg_postmaster_start_time() < now() - ${reclaim.leaseMs} * interval '1 ms'
              and ${connectionName('')} || leased_by <> all(array(
                select application_name from pg_stat_activity
                where datname = current_database() and application_name is not null)))
          end
      for update skip locked
    ), freed as (
      update deliveries d
      set status = 'waiting', attempts = d.attempts + 1, next_attempt_at = ${reclaim.now}, leased_by = null,
        lease_until = null, last_status = null, last_error = 'interrupted'
      from lost where d.id = lost.id returning d.id
    )
    insert into attempts (delivery_id, at, duration_ms, error)
    select id, ${reclaim.now}::timestamptz, 0, 'interrupted' from freed
    returning delivery_id as id`.execute(db)
  return rows.length
}

/** Releases claims that were never started. */
export async function releaseDeliveries(db: Database, release: { ids: string[]; worker: string }): Promise<void> {
  await sql`
    update deliveries set status = 'waiting', leased_by = null, lease_until = null
    where id = any(${release.ids}::text[]) and leased_by = ${release.worker} and status = 'sending'`.execute(db)
}
