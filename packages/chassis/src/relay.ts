import { headers } from '@nats-io/transport-node'
import { jetstream } from '@nats-io/jetstream'
import { sql, type Kysely } from 'kysely'
import { EVENTS, eventSubject } from '@storefront/contracts'
import { isOutage, onEventsCommitted, transaction } from './database.ts'
import type { Log } from './log.ts'
import type { Messaging } from './messaging.ts'
import { DependencyUnavailable } from './refusal.ts'
import { every, type Timer } from './timer.ts'

const BATCH = 500
const ACK_TIMEOUT_MS = 5000
/** How often the outbox is looked at when nothing pokes: picks up what a crashed copy left behind. */
const SWEEP_MS = 1000
const BUSY_RETRY_MS = 50
/** A run costs a transaction, however many events it takes: under load those of a few milliseconds share one. */
const GAP_MS = 20

interface OutboxRow {
  id: number
  event_id: string
  name: string
  payload: string
}

/**
 * Starts the relay of a service: it publishes what the outbox holds right after each commit, and again after a crash.
 * One copy of a service relays at a time, in the order of the rows, so that events of one origin arrive as decided.
 * An event is deleted only after JetStream acknowledged it; a repeat carries the same Nats-Msg-Id.
 */
export function startRelay<Schema>(context: { db: Kysely<Schema>; messaging: Messaging; log: Log }): Timer {
  const { db, messaging, log } = context
  const work = async (): Promise<void> => {
    try {
      let sent = await relayBatch(db, messaging)
      while (sent === BATCH) sent = await relayBatch(db, messaging)
      // The other copy may have read the outbox before our commit.
      if (sent === 'busy') setTimeout(() => timer.poke(), BUSY_RETRY_MS).unref()
    } catch (error) {
      if (!isOutage(error)) throw error
      log.debug({ err: error }, 'the outbox waits until its servers are back')
    }
  }
  const timer: Timer = every(SWEEP_MS, 'relay', log, work, { gapMs: GAP_MS })
  onEventsCommitted(db, () => timer.poke())
  messaging.onReconnect(() => timer.poke())
  return timer
}

/** Publishes up to one batch. @returns how many events went out, or `busy` when another copy is relaying */
export async function relayBatch<Schema>(db: Kysely<Schema>, messaging: Messaging): Promise<number | 'busy'> {
  const stream = jetstream(messaging.connection(), { timeout: ACK_TIMEOUT_MS })
  return transaction(db, async (tx) => {
    const lock = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('relay'), hashtext(current_schema())) as mine`.execute(tx)
    if (lock.rows[0]?.mine !== true) return 'busy'
    // Chosen once, as an array: what stands behind `in` may be run again for every row of the outbox.
    const { rows } = await sql<OutboxRow>`
      with batch as (
        delete from outbox where id = any(array(select id from outbox order by id limit ${BATCH})) returning *)
      select id, event_id, name, payload from batch order by id`.execute(tx)
    await Promise.all(
      rows.map((row) => {
        const head = headers()
        head.set('Nats-Msg-Id', row.event_id)
        return stream.publish(subjectOf(messaging.namespace, row.name), row.payload, { headers: head })
      }),
    ).catch((error: unknown) => {
      throw new DependencyUnavailable('nats', error)
    })
    return rows.length
  })
}

const EVENTS_BY_NAME = new Map(EVENTS.map((event) => [event.name, event]))

function subjectOf(namespace: string, eventName: string): string {
  const event = EVENTS_BY_NAME.get(eventName)
  if (!event) throw new Error(`an event of an unknown name is in the outbox: ${eventName}`)
  return eventSubject(namespace, event)
}
