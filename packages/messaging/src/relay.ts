import { headers } from '@nats-io/transport-node'
import { jetstream } from '@nats-io/jetstream'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { EVENTS, eventSubject } from '@storefront/contracts'
import { type Clock, type Log, DependencyUnavailable, every, type Timer, TRACEPARENT_HEADER } from '@storefront/service'
import { processBatches, tolerateOutage } from '@storefront/jobs'
import { ASYNC_COMMIT, deleteRows, onEventsCommitted, transaction } from '@storefront/postgres'
import { sendChanges, topicsOfEvents } from './changes.ts'
import type { Messaging } from './messaging.ts'
import { watchOutbox } from './event-metrics.ts'
import { publishLostEvents } from './lost-events.ts'

const BATCH = 500
/**
 * A batch is held in memory, and NATS has to accept it within ACK_TIMEOUT_MS. Events that carry an order can be long.
 */
const BATCH_BYTES = 4 * 1024 * 1024
const ACK_TIMEOUT_MS = 5000
/** How often the outbox is read when nothing wakes the relay: picks up what a crashed replica left behind. */
const SWEEP_MS = 1000
const BUSY_RETRY_MS = 50
/** A run costs a transaction, however many events it takes: under load the events of a few milliseconds share one. */
const GAP_MS = 20
const STUCK_REPORT_MS = 60_000
const STUCK_SHOWN = 10
const DELETE_MS = 60_000
const DELETED_AT_ONCE = 2000
/** Headers of an event need less than this. NATS counts them with the payload. */
const HEADER_BYTES = 1024
/** The maximum of one NATS message by default. */
const DEFAULT_MAX_PAYLOAD_BYTES = 1024 * 1024

interface OutboxRow {
  id: number
  event_id: string
  name: string
  payload: string
  traceparent: string | null
}

/**
 * Starts the relay of a service: it publishes the events in the outbox right after each commit, and within a second
 * those that a crash left there. One replica of a service relays at a time, in the order of the rows, so that events of
 * one origin arrive in the order of their commits. An event leaves the outbox only after JetStream acknowledged it; a
 * repeat carries the same Nats-Msg-Id. Sent events are kept for a day, and are published again when a consumer has no
 * receipt.
 *
 * An event that is longer than this NATS server accepts, or whose name only a newer version of the service knows, stays
 * in the outbox. It is reported every minute, and does not delay other events.
 */
export function startRelay<Schema>(context: {
  db: Kysely<Schema>
  messaging: Messaging
  log: Log
  clock: Clock
}): Timer {
  const { db, messaging, log } = context
  const timer: Timer = processBatches({
    name: 'relay',
    log,
    everyMs: SWEEP_MS,
    gapMs: GAP_MS,
    async isWaiting() {
      const { rows } = await sql<{ waits: boolean }>`select exists (select from outbox) as waits`.execute(db)
      return rows[0]?.waits === true
    },
    async next() {
      const sent = await relayNext(db, messaging)
      if (sent !== 'busy') return sent.isFull
      // The other replica may have read the outbox before our commit.
      setTimeout(() => timer.wake(), BUSY_RETRY_MS).unref()
      return false
    },
  })
  onEventsCommitted(db, () => timer.wake())
  messaging.onReconnect(() => timer.wake())
  const outbox = watchOutbox(context)
  const report = every(STUCK_REPORT_MS, 'stuck events', log, () =>
    tolerateOutage({ name: 'stuck events', log }, async () => {
      for (const event of await findStuckEvents(db, messaging)) {
        log.error({ event }, 'an event in the outbox cannot be published: see OutboxStuck in docs/operations.md')
      }
    }),
  )
  const cleanup = processBatches({
    name: 'delete sent events',
    log,
    everyMs: DELETE_MS,
    next: () => deleteSentEvents(db),
  })
  const others = [report, outbox, cleanup, ...publishLostEvents(context)]
  return {
    wake: () => timer.wake(),
    stop: async () => void (await Promise.all([timer, ...others].map((each) => each.stop()))),
  }
}

/**
 * Deletes a batch of the events that JetStream accepted more than a day ago, for every service that publishes: so no
 * service has a rule for it.
 * @returns whether there may be more
 */
export async function deleteSentEvents<Schema>(db: Kysely<Schema>): Promise<boolean> {
  const due = sql`sent_at < now() - interval '24 hours' order by sent_at`
  return (await deleteRows(db, 'sent_events', due, DELETED_AT_ONCE)) === DELETED_AT_ONCE
}

/** Events that the relay skips, oldest first, at most as many as fit into a report. */
export async function findStuckEvents<Schema>(
  db: Kysely<Schema>,
  messaging: Messaging,
): Promise<{ eventId: string; name: string; bytes: number }[]> {
  const { rows } = await sql<{ eventId: string; name: string; bytes: number }>`
    select event_id as "eventId", name, octet_length(payload) as bytes from outbox
    where not (${isPublishable(messaging)}) order by id limit ${STUCK_SHOWN}`.execute(db)
  return rows
}

function isPublishable(messaging: Messaging): RawBuilder<boolean> {
  const maxPayloadBytes = messaging.connection().info?.max_payload ?? DEFAULT_MAX_PAYLOAD_BYTES
  return sql<boolean>`octet_length(payload) <= ${maxPayloadBytes - HEADER_BYTES} and name = any(${[...EVENTS_BY_NAME.keys()]}::text[])`
}

/** Publishes up to one batch. @returns how many events were sent, or `busy` when another replica is relaying */
export async function relayBatch<Schema>(db: Kysely<Schema>, messaging: Messaging): Promise<number | 'busy'> {
  const sent = await relayNext(db, messaging)
  return sent === 'busy' ? sent : sent.events
}

/** @returns also whether the batch was full, so that more events may wait */
async function relayNext<Schema>(
  db: Kysely<Schema>,
  messaging: Messaging,
): Promise<{ events: number; isFull: boolean } | 'busy'> {
  const stream = jetstream(messaging.connection(), { timeout: ACK_TIMEOUT_MS })
  const sent = await transaction(db, async (tx) => {
    // This commit does not wait for the disk: if a crash of the database puts the rows back into the outbox, they are
    // published again, as after a crash of this process. Rows that the previous relaying replica published after the
    // statement began are deleted by then, and are not returned.
    //
    // Selected once, as an array: a subquery behind `in` may be run again for every row of the outbox. An event is
    // taken while those before it are within the bound, so that a batch is never empty; its length is known without
    // reading it.
    const { rows: found } = await sql<{ mine: boolean } & (OutboxRow | { id: null })>`
      with lock as materialized (
        select pg_try_advisory_xact_lock(hashtext('relay'), hashtext(current_schema())) as mine from ${ASYNC_COMMIT}),
      batch as (
        delete from outbox where id = any(array(
          select id from (
            select id, octet_length(payload) as bytes, sum(octet_length(payload)) over (order by id) as up_to
            from (select id, payload from outbox
              where (select mine from lock) and ${isPublishable(messaging)} order by id limit ${BATCH}) as oldest
          ) as measured where up_to - bytes < ${BATCH_BYTES})) returning *),
      kept as (insert into sent_events (id, event_id, name, payload) select id, event_id, name, payload from batch)
      select mine, id, event_id, name, payload, traceparent from lock left join batch on true order by id`.execute(tx)
    if (found[0]?.mine !== true) return 'busy' as const
    const rows = found.filter((row) => row.id !== null)
    await Promise.all(
      rows.map((row) => {
        const head = headers()
        head.set('Nats-Msg-Id', row.event_id)
        if (row.traceparent !== null) head.set(TRACEPARENT_HEADER, row.traceparent)
        return stream.publish(subjectOf(messaging.namespace, row.name), row.payload, { headers: head })
      }),
    ).catch((error: unknown) => {
      throw new DependencyUnavailable('nats', error)
    })
    const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row.payload), 0)
    return { names: rows.map(({ name }) => name), isFull: rows.length === BATCH || bytes >= BATCH_BYTES }
  })
  if (sent === 'busy') return sent
  sendChanges(messaging, topicsOfEvents(sent.names))
  return { events: sent.names.length, isFull: sent.isFull }
}

const EVENTS_BY_NAME = new Map(EVENTS.map((event) => [event.name, event]))

function subjectOf(namespace: string, eventName: string): string {
  const event = EVENTS_BY_NAME.get(eventName)
  if (!event) throw new Error(`an event of an unknown name is in the outbox: ${eventName}`)
  return eventSubject(namespace, event)
}
