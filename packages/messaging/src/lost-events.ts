import { headers } from '@nats-io/transport-node'
import { jetstream } from '@nats-io/jetstream'
import { sql, type Kysely } from 'kysely'
import { EVENTS, EventEnvelope, eventSubject, FIND_MISSING_RECEIPTS, type ServiceName } from '@storefront/contracts'
import { processBatches } from '@storefront/jobs'
import { transaction, type AnyTransaction } from '@storefront/postgres'
import {
  counter,
  DAY_MS,
  DependencyUnavailable,
  MINUTE_MS,
  type Clock,
  type Log,
  type Timer,
} from '@storefront/service'
import { EVENT_ID_HEADER } from './dead-letter.ts'
import type { Messaging } from './messaging.ts'
import { findMissingReceipts } from './receipts.ts'
import { sendRequest } from './requests.ts'

const CHECK_MS = 30_000
const LOST_AFTER_MINUTES = 3
const LOST_AFTER = `${LOST_AFTER_MINUTES} minutes`
/** Their payloads are in memory when all of them are lost. */
const PAGE = 200
/** A consumer that has more events to handle has not lost them: its events only wait. */
const MAX_WAITING = 1000
const ACK_TIMEOUT_MS = 5000
/** Receipts are kept for fourteen days, so that an event that was received is known to its consumer. */
const PUBLISHED_AGAIN_FOR_MS = DAY_MS

const publishedAgain = counter(
  'storefront_events_published_again_total',
  'Events that were published again because a consumer had no receipt of them',
  ['event', 'consumer'],
)

interface Context<Schema> {
  db: Kysely<Schema>
  messaging: Messaging
  log: Log
  clock: Clock
}

interface SentEvent {
  id: number
  event_id: string
  name: string
  sent_at: string
}

interface LostEvent extends SentEvent {
  payload: string
}

/**
 * Publishes events again that a consumer has no receipt of three minutes after JetStream accepted them: JetStream may
 * skip an event when its servers elect others, or lose its disk. Consumers that have a receipt ignore the repeat. It is
 * checked as well, until every consumer has handled or given up the event, or the event is a day old: each time when
 * the event is twice as old, because a consumer may be trying it for an hour while another transaction holds a lock.
 * @returns one timer for each consuming service, so that one that does not reply delays no other
 */
export function publishLostEvents<Schema>(context: Context<Schema>): Timer[] {
  const { service } = context.messaging
  const consumers = new Set(EVENTS.filter(({ from }) => from === service).flatMap((event) => event.consumers))
  return [...consumers].map((consumer) =>
    processBatches({
      name: `lost events of ${consumer}`,
      log: context.log,
      everyMs: CHECK_MS,
      next: () => publishNextLost(context, consumer),
    }),
  )
}

/** Checks up to one page of events. @returns whether more of them are to be checked */
export async function publishNextLost<Schema>(context: Context<Schema>, consumer: ServiceName): Promise<boolean> {
  return transaction(context.db, async (tx) => {
    const checkedUntil = await lockCheck(tx, consumer)
    if (checkedUntil === undefined) return false
    // All events of one time, because the next page begins after it.
    const { rows: sent } = await sql<SentEvent>`
      select id, event_id, name, sent_at::text from sent_events
      where sent_at > ${checkedUntil}::timestamptz and sent_at <= now() - ${LOST_AFTER}::interval
      order by sent_at fetch first ${PAGE} rows with ties`.execute(tx)
    const last = sent.at(-1)
    if (!last) return false
    const lost = await findLost(context.messaging, tx, consumer, sent)
    if (lost === 'waiting') return false
    if (lost.length > 0) await publishAgain(context, tx, consumer, lost)
    await sql`update receipt_checks set checked_until = ${last.sent_at}::timestamptz
      where consumer = ${consumer}`.execute(tx)
    return sent.length >= PAGE
  })
}

/** @returns until when events are checked; undefined while another replica checks them */
async function lockCheck(tx: AnyTransaction, consumer: ServiceName): Promise<string | undefined> {
  const read = () =>
    sql<{ checkedUntil: string }>`
    select checked_until::text as "checkedUntil" from receipt_checks where consumer = ${consumer}
    for update skip locked`.execute(tx)
  const found = await read()
  if (found.rows[0]) return found.rows[0].checkedUntil
  const added = await sql`insert into receipt_checks (consumer, checked_until)
    values (${consumer}, now() - ${LOST_AFTER}::interval) on conflict do nothing`.execute(tx)
  return added.numAffectedRows === 1n ? (await read()).rows[0]?.checkedUntil : undefined
}

/** @returns the events that a consumer has no receipt of, or `waiting` when it may still get them */
async function findLost(
  messaging: Messaging,
  tx: AnyTransaction,
  consumer: ServiceName,
  sent: readonly SentEvent[],
): Promise<SentEvent[] | 'waiting'> {
  const lost: SentEvent[] = []
  for (const { name } of EVENTS.filter((event) => event.consumers.includes(consumer))) {
    const events = sent.filter((event) => event.name === name)
    if (events.length === 0) continue
    const query = { event: name, ids: events.map(({ event_id }) => event_id) }
    const { missing, waiting } =
      consumer === messaging.service
        ? await findMissingReceipts(messaging, tx, query)
        : await sendRequest(messaging, receiptsRequest(consumer), query)
    if (waiting > MAX_WAITING) return 'waiting'
    const missingIds = new Set(missing)
    lost.push(...events.filter(({ event_id }) => missingIds.has(event_id)))
  }
  return lost
}

function receiptsRequest(consumer: ServiceName) {
  const request = FIND_MISSING_RECEIPTS.find(({ to }) => to === consumer)
  if (!request) throw new Error(`${consumer} does not reply which events it has no receipt of`)
  return request
}

async function publishAgain<Schema>(
  { messaging, log, clock }: Context<Schema>,
  tx: AnyTransaction,
  consumer: ServiceName,
  lost: readonly SentEvent[],
): Promise<void> {
  const { rows } = await sql<LostEvent>`
    select id, event_id, name, sent_at::text, payload from sent_events
    where id = any(${lost.map(({ id }) => id)}::bigint[])`.execute(tx)
  const now = clock.now().getTime()
  const ageOf = ({ payload }: LostEvent): number => now - Date.parse(EventEnvelope.parse(JSON.parse(payload)).at)
  const again = rows.filter((row) => ageOf(row) < PUBLISHED_AGAIN_FOR_MS)
  if (again.length < rows.length) {
    const tooOld = rows.filter((row) => !again.includes(row)).map(shown)
    log.error(
      { consumer, events: tooOld },
      'a consumer has no receipt of events over a day old: publish them with npm run events -- replay --id',
    )
  }
  if (again.length === 0) return
  log.warn({ consumer, events: again.map(shown) }, 'a consumer has no receipt of events, which are published again')
  const stream = jetstream(messaging.connection(), { timeout: ACK_TIMEOUT_MS })
  await Promise.all(
    again.map(async ({ event_id, name, sent_at, payload }) => {
      const head = headers()
      // Not its own id, which JetStream may have seen. After a crash before the commit this is the same repeat.
      head.set('Nats-Msg-Id', `${event_id}:${consumer}:${sent_at}`)
      head.set(EVENT_ID_HEADER, event_id)
      await stream.publish(eventSubject(messaging.namespace, { name, from: messaging.service }), payload, {
        headers: head,
      })
      publishedAgain.inc({ event: name, consumer })
    }),
  ).catch((error: unknown) => {
    throw new DependencyUnavailable('nats', error)
  })
  const pauses = again.map((row) => Math.max(0, ageOf(row) - LOST_AFTER_MINUTES * MINUTE_MS))
  await sql`update sent_events as sent set sent_at = now() + again.pause * interval '1 millisecond'
    from unnest(${again.map(({ id }) => id)}::bigint[], ${pauses}::float8[]) as again (id, pause)
    where sent.id = again.id`.execute(tx)
}

const shown = ({ event_id, name }: SentEvent): string => `${name} ${event_id}`
