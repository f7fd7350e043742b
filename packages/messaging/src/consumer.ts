import { AckPolicy, type JsMsg } from '@nats-io/jetstream'
import type { Kysely } from 'kysely'
import { durableName, EventEnvelope, type EventDefinition, type ReceivedEvent } from '@storefront/contracts'
import type { Log, Stoppable } from '@storefront/service'
import { batchDelayMs } from './batch-delay.ts'
import { watchConsumer } from './event-metrics.ts'
import { fetchEvents, MAX_BUFFERED } from './fetch-events.ts'
import { handleOnce, type Handler } from './handle-once.ts'
import type { Messaging } from './messaging.ts'
import { messageSettler } from './settle-message.ts'
import { tracedHandling } from './trace-messages.ts'

const BACKOFF_MS = [100, 500, 2000, 5000, 15_000, 30_000, 60_000]
/** JetStream redelivers a message that was not acknowledged in this time, for example because the consumer died. */
export const ACK_WAIT_MS = 20_000
const OUTAGE_RETRY_MS = 1000
const BATCH = 64

/** Its stop finishes the events in hand: at once when no events arrive, else at the end of the fetch. */
export type Consumer = Stoppable

export interface ConsumerOptions {
  afterCommit?: () => void
  /** Pauses after the first, second and further failures; the last one repeats. */
  backoffMs?: readonly number[]
  outageRetryMs?: number
}

interface Received<Data> {
  message: JsMsg
  event: ReceivedEvent<Data>
}

/**
 * Consumes one kind of event. The handler runs in a transaction together with the receipt of the events, so that their
 * effect happens once however often they are delivered. It must have no effect that a rollback cannot undo. Waiting
 * events are handled up to 64 in one transaction, because a commit costs more than most effects. When that fails, each
 * gets a transaction of its own, so that only the failing one is tried again.
 */
export function consume<Schema, Data>(
  { db, messaging, log }: { db: Kysely<Schema>; messaging: Messaging; log: Log },
  event: EventDefinition<string, Data>,
  handler: Handler<Schema, Data>,
  { afterCommit, backoffMs = BACKOFF_MS, outageRetryMs = OUTAGE_RETRY_MS }: ConsumerOptions = {},
): Consumer {
  const { name } = event
  const durable = durableName(messaging.service, event)
  if (!event.consumers.includes(messaging.service)) throw new Error(`${messaging.service} is not a consumer of ${name}`)

  const settle = messageSettler({ db, messaging, log, durable, name, backoffMs, outageRetryMs })
  const batches = inBatches(handleBatch)
  const lag = watchConsumer(messaging, durable, name)
  const fetching = fetchEvents({ messaging, log, durable, name }, (message) => batches.add(message))

  async function handleBatch(batch: JsMsg[]): Promise<void> {
    const readable: Received<Data>[] = []
    for (const message of batch) {
      const parsed = readEvent(event, message)
      if (parsed instanceof Error) await settle.giveUp(message, parsed)
      else readable.push({ message, event: parsed })
    }
    if (readable.length === 0) return
    try {
      await handleTogether(readable)
    } catch (error) {
      const [first, second] = readable
      if (first && !second) await settle.retryLater(first.message, error)
      else for (const item of readable) await handleAlone(item)
    }
    afterCommit?.()
  }

  async function handleAlone(item: Received<Data>): Promise<void> {
    try {
      await handleTogether([item])
    } catch (error) {
      await settle.retryLater(item.message, error)
    }
  }

  async function handleTogether(items: Received<Data>[]): Promise<void> {
    const messages = items.map((item) => item.message)
    const events = items.map((item) => item.event)
    await tracedHandling(name, durable, messages, () => handleOnce(db, durable, events, handler))
    for (const message of messages) settle.acknowledge(message)
  }

  return {
    async stop() {
      await lag.stop()
      await fetching.stop()
      await batches.end()
    },
  }
}

/** Collects messages into batches, which are handled one after the other. */
function inBatches(handle: (batch: JsMsg[]) => Promise<void>) {
  const waiting: JsMsg[] = []
  let draining: Promise<void> | undefined
  let endedMs = -Infinity
  /** Ends the wait for more events when enough are there. */
  let lookAgain = (): void => {}

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await gather()
      await handle(waiting.splice(0, BATCH))
      endedMs = performance.now()
    }
    draining = undefined
  }

  async function gather(): Promise<void> {
    const waitMs = () => batchDelayMs(waiting.length, performance.now() - endedMs)
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

  return {
    /** @returns when there is room for more */
    async add(message: JsMsg): Promise<void> {
      waiting.push(message)
      draining ??= drain()
      lookAgain()
      if (waiting.length >= MAX_BUFFERED) await draining
    },
    async end(): Promise<void> {
      await draining
    },
  }
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
