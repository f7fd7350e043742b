import { AckPolicy, jetstream, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import { sql, type Kysely, type Transaction } from 'kysely'
import {
  deadLetterSubject,
  durableName,
  EventEnvelope,
  eventsStream,
  type EventDefinition,
  type ReceivedEvent,
} from '@storefront/contracts'
import { systemClock, type Log, withRequestId } from '@storefront/service'
import { isOutage, transaction, type AnyTransaction } from '@storefront/postgres'
import { deadLetterHeaders } from './dead-letter.ts'
import { pauseBeforeFetchMs } from './fetch-pause.ts'
import { gatherMs } from './gather.ts'
import type { Messaging } from './messaging.ts'
import { countHandled, watchConsumer } from './event-metrics.ts'
import { tracedHandling } from './trace-messages.ts'

/**
 * After this many failures an event is put on the dead-letter stream; outages of our own servers do not count. Each
 * replica counts its own failures and starts again at zero when it starts: an event may be tried more often, but never
 * less.
 */
const MAX_FAILURES = 8
const BACKOFF_MS = [100, 500, 2000, 5000, 15_000, 30_000, 60_000]
/** JetStream redelivers a message that was not acknowledged in this time, for example because the consumer died. */
export const ACK_WAIT_MS = 20_000
const OUTAGE_RETRY_MS = 1000
/**
 * More than can be in flight at once (`max_ack_pending`); the counts of events that other replicas have settled are
 * dropped, oldest first.
 */
const MAX_COUNTED = 10_000
const BATCH = 64
const MAX_BUFFERED = 256
/** How long one fetch lasts when there is nothing to fetch; the minimum that the client allows. */
const FETCH_MS = 1000
/** A fetch that got nothing for this long may be ended early: hardly any event can be on its way. */
const QUIET_MS = 100

export interface Consumer {
  /**
   * Stops fetching and finishes the events in hand: at once when no events arrive, else at the end of the fetch, within
   * a second.
   */
  stop(): Promise<void>
}

export interface ConsumerOptions {
  afterCommit?: () => void
  /** Pauses after the first, second and further failures; the last one repeats. */
  backoffMs?: readonly number[]
  outageRetryMs?: number
}

/** Gets events of one kind that were not handled before, in the order of the stream; never an empty list. */
type Handler<Schema, Data> = (tx: Transaction<Schema>, events: ReceivedEvent<Data>[]) => Promise<void>

/**
 * Consumes one kind of event. The handler runs in a transaction together with the receipt of the events, so that their
 * effect happens once however often they are delivered. It must have no effect that a rollback cannot undo. Waiting
 * events are handled up to 64 in one transaction, because a commit costs more than most effects. When that fails, each
 * gets a transaction of its own, so that only the failing one is tried again.
 */
export function consume<Schema, Data>(
  context: { db: Kysely<Schema>; messaging: Messaging; log: Log },
  event: EventDefinition<string, Data>,
  handler: Handler<Schema, Data>,
  options: ConsumerOptions = {},
): Consumer {
  const { db, messaging, log } = context
  const { backoffMs = BACKOFF_MS, outageRetryMs = OUTAGE_RETRY_MS } = options
  const durable = durableName(messaging.service, event)
  if (!event.consumers.includes(messaging.service))
    throw new Error(`${messaging.service} is not a consumer of ${event.name}`)

  let stopped = false
  let messages: ConsumerMessages | undefined
  let subscription: Subscription | undefined
  let arrivedMs = -Infinity
  const waiting: JsMsg[] = []
  // By stream sequence. The server's delivery count includes deliveries that an outage broke off: by that count an
  // event that waited ten seconds for Postgres would be given up at its first failure afterwards.
  const failures = new Map<number, number>()
  let draining: Promise<void> | undefined
  let endedMs = -Infinity
  /** Ends the wait for more events when enough are there. */
  let lookAgain = (): void => {}
  const { promise: waitingEnds, resolve: endWaiting } = Promise.withResolvers<void>()

  const lag = watchConsumer(messaging, durable, event.name)
  const fetching = fetchForever()

  async function fetchForever(): Promise<void> {
    while (!stopped) {
      try {
        await messaging.opened
        const connection = noteSubscriptions(messaging.connection(), (made) => (subscription = made))
        const consumer = await jetstream(connection).consumers.get(eventsStream(messaging.namespace), durable)
        // Not consume(): it can only be cut off, and messages in transit at that moment would be redelivered only after
        // ACK_WAIT_MS. A fetch comes to an end that both sides know of.
        while (!stopped) {
          messages = await consumer.fetch({ max_messages: MAX_BUFFERED, expires: FETCH_MS })
          for await (const message of messages) {
            arrivedMs = performance.now()
            waiting.push(message)
            draining ??= drain()
            lookAgain()
            if (waiting.length >= MAX_BUFFERED) await draining
          }
        }
      } catch (error) {
        if (stopped) return
        log.warn({ err: error, event: event.name }, 'events cannot be fetched; trying again')
        await new Promise((resolve) => setTimeout(resolve, pauseBeforeFetchMs(error)))
      }
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await gather()
      await handleBatch(waiting.splice(0, BATCH))
      endedMs = performance.now()
    }
    draining = undefined
  }

  async function gather(): Promise<void> {
    const waitMs = () => gatherMs(waiting.length, performance.now() - endedMs)
    if (waitMs() === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs())
      lookAgain = () => {
        if (waitMs() > 0) return
        clearTimeout(timer)
        resolve()
      }
    })
    lookAgain = () => {}
  }

  async function handleBatch(batch: JsMsg[]): Promise<void> {
    const readable: { message: JsMsg; event: ReceivedEvent<Data> }[] = []
    for (const message of batch) {
      const parsed = readEvent(event, message)
      if (parsed instanceof Error) await giveUp(message, parsed)
      else readable.push({ message, event: parsed })
    }
    if (readable.length === 0) return
    try {
      await handleTogether(readable)
      for (const { message } of readable) acknowledge(message)
    } catch (error) {
      if (readable.length === 1) await retryLater(readable[0]?.message, error)
      else for (const item of readable) await handleAlone(item)
    }
    options.afterCommit?.()
  }

  async function handleAlone(item: { message: JsMsg; event: ReceivedEvent<Data> }): Promise<void> {
    try {
      await handleTogether([item])
      acknowledge(item.message)
    } catch (error) {
      await retryLater(item.message, error)
    }
  }

  function handleTogether(items: { message: JsMsg; event: ReceivedEvent<Data> }[]): Promise<void> {
    const messages = items.map((item) => item.message)
    return tracedHandling(event.name, durable, messages, () => handleOnce(items.map((item) => item.event)))
  }

  async function handleOnce(events: ReceivedEvent<Data>[]): Promise<void> {
    await transaction(db, async (tx) => {
      const fresh = await recordReceipt(
        tx,
        durable,
        events.map((received) => received.id),
      )
      // A batch may hold an event twice: only the first counts.
      const unhandled = events.filter((received) => fresh.delete(received.id))
      if (unhandled.length === 0) return
      // The effects of a batch belong to several requests; only a single event can pass on its request id.
      const requestId = unhandled.length === 1 ? unhandled[0]?.requestId : undefined
      await withRequestId(requestId, () => handler(tx, unhandled))
    })
  }

  async function retryLater(message: JsMsg | undefined, error: unknown): Promise<void> {
    if (!message) return
    if (isOutage(error)) {
      message.nak(outageRetryMs)
      countHandled(event.name, 'outage')
      return
    }
    const failed = countFailure(message.seq)
    if (failed >= MAX_FAILURES) {
      await giveUp(message, error)
      return
    }
    const delayMs = backoffMs[Math.min(failed, backoffMs.length) - 1] ?? outageRetryMs
    log.warn(
      { err: error, event: event.name, failures: failed, delayMs },
      'an event could not be handled; trying again',
    )
    message.nak(delayMs)
    countHandled(event.name, 'failed')
  }

  function countFailure(sequence: number): number {
    const failed = (failures.get(sequence) ?? 0) + 1
    // Inserted again, so that the oldest entry comes first.
    failures.delete(sequence)
    failures.set(sequence, failed)
    const [oldest] = failures.keys()
    if (failures.size > MAX_COUNTED && oldest !== undefined) failures.delete(oldest)
    return failed
  }

  function acknowledge(message: JsMsg): void {
    message.ack()
    failures.delete(message.seq)
    countHandled(event.name, 'handled')
  }

  async function giveUp(message: JsMsg, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    log.error(
      { err: error, event: event.name, sequence: message.seq },
      'an event was given up and goes to the dead-letter stream',
    )
    try {
      const { service } = messaging
      const head = deadLetterHeaders(message, { service, durable, event: event.name, reason, at: systemClock.now() })
      await jetstream(messaging.connection()).publish(
        deadLetterSubject(messaging.namespace, messaging.service, event.name),
        message.data,
        { headers: head },
      )
      // Without a reason: NATS 2.9 leaves the message pending when term carries one.
      message.term()
      failures.delete(message.seq)
      countHandled(event.name, 'dead')
    } catch (publishError) {
      log.warn({ err: publishError }, 'the dead letter could not be written; the event will be redelivered')
      message.nak(outageRetryMs)
    }
  }

  /** Ends the current fetch as soon as no events arrive; draining delivers what the server has already sent. */
  function endQuietFetch(): NodeJS.Timeout {
    return setTimeout(
      () => {
        if (performance.now() - arrivedMs < QUIET_MS) return
        subscription?.drain().catch(() => {}) // Closed by now: then the fetch has ended, too.
      },
      Math.max(0, arrivedMs + QUIET_MS - performance.now()),
    )
  }

  return {
    async stop() {
      stopped = true
      await lag.stop()
      // The fetch may be waiting for a NATS server that never comes back.
      const deadline = setTimeout(() => endWaiting(), 2 * FETCH_MS)
      const drained = endQuietFetch()
      await Promise.race([fetching, waitingEnds])
      clearTimeout(deadline)
      clearTimeout(drained)
      await messages?.close()
      await draining
    },
  }
}

/** The same connection, but it exposes the subscriptions made through it: the client hides those of a fetch. */
function noteSubscriptions(connection: NatsConnection, note: (subscription: Subscription) => void): NatsConnection {
  const noting: NatsConnection = Object.create(connection)
  noting.subscribe = (subject, options) => {
    const subscription = connection.subscribe(subject, options)
    note(subscription)
    return subscription
  }
  return noting
}

/** Records receipts of events. @returns the ids that were new to this consumer */
async function recordReceipt(tx: AnyTransaction, consumer: string, ids: string[]): Promise<Set<string>> {
  // In the order of the ids, so that two replicas that got the same events cannot deadlock.
  const { rows } = await sql<{ event_id: string }>`
    insert into inbox (consumer, event_id)
    select ${consumer}, id from (select distinct unnest(${ids}::text[]) as id order by 1) as ids
    on conflict do nothing returning event_id`.execute(tx)
  return new Set(rows.map((row) => row.event_id))
}

function readEvent<Data>(definition: EventDefinition<string, Data>, message: JsMsg): ReceivedEvent<Data> | Error {
  try {
    const envelope = EventEnvelope.parse(JSON.parse(new TextDecoder().decode(message.data)))
    return { ...envelope, data: definition.data.parse(envelope.data) }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The definition of a durable consumer on the server; created by the migrate step. */
export function consumerConfig(durable: string, subject: string) {
  return {
    durable_name: durable,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ACK_WAIT_MS * 1_000_000,
    max_deliver: -1,
    max_ack_pending: 1000,
  }
}

/** Deletes receipts that are older than any event on the stream. */
export async function deleteOldReceipts<Schema>(db: Kysely<Schema>): Promise<void> {
  await sql`delete from inbox where received_at < now() - interval '14 days'`.execute(db)
}
