import { sql } from 'kysely'
import type { Database, DeliveryStatus, Row, Tx } from '../database.ts'

interface ReplayCandidate {
  status: DeliveryStatus
  is_test: boolean
  endpoint_id: string
  enabled: boolean
  deleted: boolean
}

/** Locks a delivery until the end of the transaction. */
export async function lockDelivery(tx: Tx, id: string): Promise<ReplayCandidate | undefined> {
  const { rows } = await sql<ReplayCandidate>`
    select d.status, d.subject like 'test:%' as is_test, d.endpoint_id, e.enabled, e.deleted_at is not null as deleted
    from deliveries d join endpoints e on e.id = d.endpoint_id where d.id = ${id} for update of d`.execute(tx)
  return rows[0]
}

export async function endpointState(
  db: Database | Tx,
  id: string,
): Promise<{ enabled: boolean; deleted: boolean } | undefined> {
  const { rows } = await sql<{ enabled: boolean; deleted: boolean }>`
    select enabled, deleted_at is not null as deleted from endpoints where id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Queues deliveries again, at the start of the schedule. They wait like failed ones and not like new ones: a newer
 * event does not replace them, and with `replays` none makes them pointless.
 */
export async function queueAgain(tx: Tx, ids: string[], now: Date): Promise<void> {
  await sql`
    update deliveries
    set status = 'waiting', failures = 0, replays = replays + 1, next_attempt_at = ${now}, settled_at = null
    where id = any(${ids}::text[]) and status <> 'sending'`.execute(tx)
}

export interface ReplaySpan {
  from: Date
  to: Date
  endpointId: string | undefined
  types: readonly string[] | undefined
  statuses: readonly DeliveryStatus[]
}

export type ReplayPosition = Pick<Row<'deliveries'>, 'id' | 'created_at' | 'seq'>

export async function findReplayPosition(db: Database, deliveryId: string): Promise<ReplayPosition | undefined> {
  const { rows } = await sql<ReplayPosition>`
    select id, created_at, seq from deliveries where id = ${deliveryId}`.execute(db)
  return rows[0]
}

/** Locks the oldest deliveries of a period after a given one, except tests and those that another transaction locks. */
export async function lockSpan(
  tx: Tx,
  { from, to, endpointId, types, statuses }: ReplaySpan,
  behind: ReplayPosition | undefined,
  limit: number,
): Promise<ReplayPosition[]> {
  const { rows } = await sql<ReplayPosition>`
    select d.id, d.created_at, d.seq from deliveries d
    where d.created_at >= ${from} and d.created_at < ${to} and d.status = any(${statuses}::text[])
      and d.subject not like 'test:%'
      and ${behind ? sql`(d.created_at, d.seq) > (${behind.created_at}::timestamptz, ${behind.seq}::bigint)` : sql`true`}
      and d.endpoint_id = any(array(
        select id from endpoints where enabled and deleted_at is null
        ${endpointId === undefined ? sql`` : sql`and id = ${endpointId}`}))
      ${types === undefined ? sql`` : sql`and d.type = any(${types}::text[])`}
    order by d.created_at, d.seq limit ${limit} for update of d skip locked /* replan */`.execute(tx)
  return rows
}
