import { headers } from '@nats-io/transport-node'
import { AckPolicy, jetstream, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream'
import { sql, type Kysely, type Transaction } from 'kysely'
import {
  deadLetterSubject,
  durableName,
  EventEnvelope,
  eventsStream,
  type EventDefinition,
  type ReceivedEvent,
} from '@storefront/contracts'
import { isOutage, transaction, type AnyTransaction } from './database.ts'
import type { Log } from './log.ts'
import type { Messaging } from './messaging.ts'
import { withRequestId } from './request-context.ts'

/** After this many failures an event is put on the dead-letter stream; outages of our own servers do not count. */
export const MAX_DELIVERIES = 8
const BACKOFF_MS = [100, 500, 2000, 5000, 15_000, 30_000, 60_000]
/** JetStream delivers again what was not acknowledged in this time, for example because the consumer died. */
export const ACK_WAIT_MS = 20_000
const OUTAGE_RETRY_MS = 1000
const BATCH = 64
/** Nobody waits for the effect of an event: the first one waits this long for others. */
const GATHER_MS = 50
const MAX_BUFFERED = 256
/** How long one fetch lasts when there is nothing to fetch, the least that the client allows; stopping waits for its end. */
const FETCH_MS = 1000

export interface Consumer {
  /** Stops fetching and finishes what is in hand, which takes about a second. */
  stop(): Promise<void>
}

/** Gets events of one kind that were not handled before, in the order of the stream; never an empty list. */
type Handler<Schema, Data> = (tx: Transaction<Schema>, events: ReceivedEvent<Data>[]) => Promise<void>

/**
 * Consumes one kind of event. The handler runs in a transaction together with the note that the events were dealt
 * with, so that their effect happens once however often they come. It must do nothing that a rollback cannot undo.
 *
 * Waiting events are handled up to 64 in one transaction, because a commit costs more than most effects. When that
 * fails, each gets a transaction of its own, so that only the culprit is tried again.
 */
export function consume<Schema, Data>(
  context: { db: Kysely<Schema>; messaging: Messaging; log: Log },
  event: EventDefinition<string, Data>,
  handler: Handler<Schema, Data>,
  options: { afterCommit?: () => void } = {},
): Consumer {
  const { db, messaging, log } = context
  const durable = durableName(messaging.service, event)
  if (!event.heardBy.includes(messaging.service)) throw new Error(`${messaging.service} is no hearer of ${event.name}`)

  let stopped = false
  let messages: ConsumerMessages | undefined
  const waiting: JsMsg[] = []
  let draining: Promise<void> | undefined
  const { promise: waitingEnds, resolve: endWaiting } = Promise.withResolvers<void>()

  const fetching = fetchForever()

  async function fetchForever(): Promise<void> {
    while (!stopped) {
      try {
        await messaging.opened
        const consumer = await jetstream(messaging.connection()).consumers.get(
          eventsStream(messaging.namespace),
          durable,
        )
        // Not consume(): it can only be cut off, and what the server is sending at that moment would come again after
        // ACK_WAIT_MS, to nobody perhaps for another time. A fetch comes to an end that both sides know of.
        while (!stopped) {
          messages = await consumer.fetch({ max_messages: MAX_BUFFERED, expires: FETCH_MS })
          for await (const message of messages) {
            waiting.push(message)
            draining ??= drain()
            if (waiting.length >= MAX_BUFFERED) await draining
          }
        }
      } catch (error) {
        if (stopped) return
        log.warn({ err: error, event: event.name }, 'events cannot be fetched, trying again')
        await new Promise((resolve) => setTimeout(resolve, OUTAGE_RETRY_MS))
      }
    }
  }

  async function drain(): Promise<void> {
    // A commit for each of them would cost more than the moment that lets the next ones join the batch.
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      await handleBatch(batch)
    }
    draining = undefined
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
      await handleTogether(readable.map((item) => item.event))
      for (const { message } of readable) message.ack()
    } catch (error) {
      if (readable.length === 1) await retryLater(readable[0]?.message, error)
      else for (const item of readable) await handleAlone(item)
    }
    options.afterCommit?.()
  }

  async function handleAlone(item: { message: JsMsg; event: ReceivedEvent<Data> }): Promise<void> {
    try {
      await handleTogether([item.event])
      item.message.ack()
    } catch (error) {
      await retryLater(item.message, error)
    }
  }

  async function handleTogether(events: ReceivedEvent<Data>[]): Promise<void> {
    await transaction(db, async (tx) => {
      const fresh = await recordReceipt(
        tx,
        durable,
        events.map((received) => received.id),
      )
      // A batch may hold an event twice: only the first counts.
      const unhandled = events.filter((received) => fresh.delete(received.id))
      if (unhandled.length === 0) return
      // What a batch causes belongs to several requests; only a single event can pass its request on.
      const requestId = unhandled.length === 1 ? unhandled[0]?.requestId : undefined
      await withRequestId(requestId, () => handler(tx, unhandled))
    })
  }

  async function retryLater(message: JsMsg | undefined, error: unknown): Promise<void> {
    if (!message) return
    if (isOutage(error)) {
      message.nak(OUTAGE_RETRY_MS)
      return
    }
    const deliveries = message.info.deliveryCount
    if (deliveries >= MAX_DELIVERIES) {
      await giveUp(message, error)
      return
    }
    const delayMs = BACKOFF_MS[Math.min(deliveries, BACKOFF_MS.length) - 1] ?? OUTAGE_RETRY_MS
    log.warn({ err: error, event: event.name, deliveries, delayMs }, 'an event could not be handled, trying again')
    message.nak(delayMs)
  }

  async function giveUp(message: JsMsg, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    log.error({ err: error, event: event.name, sequence: message.seq }, 'an event goes to the dead letters')
    try {
      const head = headers()
      head.set('Nats-Msg-Id', `${durable}:${message.seq}`)
      head.set('X-Reason', reason.replaceAll(/[\r\n]+/g, ' ').slice(0, 500))
      await jetstream(messaging.connection()).publish(
        deadLetterSubject(messaging.namespace, messaging.service, event.name),
        message.data,
        { headers: head },
      )
      // Without a reason: NATS 2.9 leaves the message pending when term carries one.
      message.term()
    } catch (publishError) {
      log.warn({ err: publishError }, 'the dead letter could not be written, the event comes again')
      message.nak(OUTAGE_RETRY_MS)
    }
  }

  return {
    async stop() {
      stopped = true
      // Fetching may be waiting for a NATS that never comes back.
      const deadline = setTimeout(() => endWaiting(), 2 * FETCH_MS)
      await Promise.race([fetching, waitingEnds])
      clearTimeout(deadline)
      await messages?.close()
      await draining
    },
  }
}

/** Notes events as dealt with. @returns the ids that were new to this consumer */
async function recordReceipt(tx: AnyTransaction, consumer: string, ids: string[]): Promise<Set<string>> {
  // In the order of the ids, so that two copies that got the same events cannot lock each other out.
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

/** What a durable consumer of this chassis looks like on the server; made by the migrate step. */
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

/** Deletes receipts that are older than the events can be. */
export async function forgetOldReceipts<Schema>(db: Kysely<Schema>): Promise<void> {
  await sql`delete from inbox where received_at < now() - interval '14 days'`.execute(db)
}
