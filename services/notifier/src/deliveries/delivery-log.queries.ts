import { sql, type RawBuilder } from 'kysely'
import type { Database, DeliveryStatus, Row } from '../database.ts'
import { COUNTED_BY_LOG } from './log-page.ts'

interface LogFilter {
  endpointId: string | undefined
  type: string | undefined
  status: DeliveryStatus | undefined
  eventId: string | undefined
  /** Without tests and deliveries to deleted endpoints. */
  isReplayable: boolean
  since: Date | undefined
  until: Date | undefined
}

type LoggedColumns = Omit<
  Row<'deliveries'>,
  'seq' | 'body' | 'subject' | 'mergeable' | 'version' | 'leased_by' | 'lease_until' | 'failures' | 'traceparent'
>
export type LoggedDelivery = LoggedColumns & Pick<Row<'endpoints'>, 'url'>

export type LoggedAttempt = Pick<Row<'attempts'>, 'delivery_id' | 'at' | 'duration_ms' | 'status' | 'error' | 'answer'>

const COLUMNS = sql`d.id, d.event_id, d.type, d.endpoint_id, e.url, d.status, d.attempts, d.replays, d.last_status,
  d.last_error, d.next_attempt_at, d.merged_events, d.created_at, d.settled_at`

/** One page of the log, newest first. */
export async function listDeliveries(
  db: Database,
  filter: LogFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: LoggedDelivery[]; total: number }> {
  const found = matching(filter)
  const { rows } = await sql<LoggedDelivery>`
    select ${COLUMNS} from deliveries d join endpoints e on e.id = d.endpoint_id
    where d.seq = any(array(
      select seq from deliveries where ${found} order by seq desc limit ${page.limit} offset ${page.offset}))
    order by d.seq desc /* replan */`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from (select 1 from deliveries where ${found} limit ${COUNTED_BY_LOG}) found
    /* replan */`.execute(db)
  return { rows, total: counted[0]?.total ?? 0 }
}

function matching({ endpointId, type, status, eventId, isReplayable, since, until }: LogFilter): RawBuilder<unknown> {
  const conditions = [
    endpointId === undefined ? undefined : sql`endpoint_id = ${endpointId}`,
    type === undefined ? undefined : sql`type = ${type}`,
    status === undefined ? undefined : sql`status = ${status}`,
    eventId === undefined ? undefined : sql`event_id = ${eventId}`,
    isReplayable
      ? sql`subject not like 'test:%' and endpoint_id = any(array(select id from endpoints where deleted_at is null))`
      : undefined,
    since === undefined ? undefined : sql`created_at >= ${since}`,
    until === undefined ? undefined : sql`created_at < ${until}`,
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

export async function findDelivery(db: Database, id: string): Promise<(LoggedDelivery & { body: string }) | undefined> {
  const { rows } = await sql<LoggedDelivery & { body: string }>`
    select ${COLUMNS}, d.body from deliveries d join endpoints e on e.id = d.endpoint_id where d.id = ${id}`.execute(db)
  return rows[0]
}

/** The last attempts of each delivery, oldest first. */
export async function lastAttempts(
  db: Database,
  deliveryIds: string[],
  most: { attempts: number; responseLength: number },
): Promise<LoggedAttempt[]> {
  const { rows } = await sql<LoggedAttempt>`
    select last.delivery_id, last.at, last.duration_ms, last.status, last.error, last.answer
    from unnest(${deliveryIds}::text[]) as wanted (id)
    cross join lateral (
      select a.id, a.delivery_id, a.at, a.duration_ms, a.status, a.error, left(a.answer, ${most.responseLength}) as answer
      from attempts a where a.delivery_id = wanted.id order by a.id desc limit ${most.attempts}
    ) as last
    order by last.id`.execute(db)
  return rows
}
