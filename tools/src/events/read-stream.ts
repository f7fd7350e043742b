import { DeliverPolicy, type ConsumerMessages, type JsMsg, type OrderedConsumerOptions } from '@nats-io/jetstream'
import { eventSubject, EVENTS, type ServiceName } from '@storefront/contracts'
import { StartError } from '../start-error.ts'
import { missing, type ShopStreams } from './shop-streams.ts'

/** A stream that is silent for so long although messages remain has stopped sending. */
const IDLE_MS = 10_000
/** Between tries to read on from a NATS that has just been started and is not ready yet. */
const AGAIN_MS = 250

export interface Reading {
  stream: string
  /** All subjects of the stream unless told otherwise. */
  filter?: string | undefined
  /** From this moment on; from the beginning when missing, and only what comes when `new`. */
  from?: Date | 'new' | undefined
  /** Ends at what is there now; otherwise the reading goes on until it is stopped. */
  bounded: boolean
  signal: AbortSignal
}

type Place = Partial<Pick<OrderedConsumerOptions, 'deliver_policy' | 'opt_start_time' | 'opt_start_seq'>>

const gone = () => new StartError('NATS has stopped sending: run it again when NATS is up.')

/** Reads a stream in its order, with a consumer that vanishes with the reader. */
export function readStream(streams: ShopStreams, reading: Reading): AsyncGenerator<JsMsg> {
  return reading.bounded ? readWhatIsThere(streams, reading) : follow(streams, reading)
}

/** @throws StartError when NATS stops before the end: the rest must not look as if it were not there */
async function* readWhatIsThere(streams: ShopStreams, reading: Reading): AsyncGenerator<JsMsg> {
  const { signal } = reading
  const consumer = await open(streams, reading, await firstPlace(streams, reading))
  if (signal.aborted || (await consumer.info()).num_pending === 0) return
  const messages = await consumer.consume({ max_messages: 500 })
  const stop = (): void => messages.stop()
  const isStuck = (): void => messages.stop(gone())
  signal.addEventListener('abort', stop, { once: true })
  let idle = setTimeout(isStuck, IDLE_MS)
  try {
    for await (const message of messages) {
      clearTimeout(idle)
      yield message
      if (signal.aborted || message.info.pending === 0) return
      idle = setTimeout(isStuck, IDLE_MS)
    }
    // A connection that is closed ends the messages without a word.
    if (!signal.aborted) throw gone()
  } finally {
    clearTimeout(idle)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/**
 * Goes on after the last message whenever NATS is back. The client's own way of doing so gives up for good, and in silence, when
 * JetStream is not ready at the moment of the reconnection.
 */
async function* follow(streams: ShopStreams, reading: Reading): AsyncGenerator<JsMsg> {
  const { signal } = reading
  let place = await firstPlace(streams, reading)
  let messages: ConsumerMessages | undefined
  let reconnections = 0
  const stop = (): void => messages?.stop()
  const status = streams.connection.status()
  void (async () => {
    for await (const { type } of status) {
      if (type !== 'reconnect') continue
      reconnections += 1
      stop()
    }
  })()
  signal.addEventListener('abort', stop, { once: true })
  let isFirst = true
  try {
    while (!signal.aborted) {
      const known = reconnections
      try {
        messages = await (await open(streams, reading, place)).consume({ max_messages: 500 })
      } catch (error) {
        if (isFirst || streams.connection.isClosed()) throw error
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
        continue
      }
      isFirst = false
      // What was opened before a break that nobody told it of would wait for ever.
      if (known !== reconnections || signal.aborted) stop()
      for await (const message of messages) {
        yield message
        place = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: message.seq + 1 }
        if (signal.aborted) return
      }
      if (streams.connection.isClosed() && !signal.aborted) throw gone()
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function open({ client }: ShopStreams, { stream, filter }: Reading, place: Place) {
  return client.consumers
    .get(stream, { ...(filter === undefined ? {} : { filter_subjects: filter }), ...place })
    .catch(missing(stream))
}

/** What comes from now on is what comes after the last message there is, so that a break loses nothing of it. */
async function firstPlace({ manager }: ShopStreams, { stream, from }: Reading): Promise<Place> {
  if (from === undefined) return {}
  if (from !== 'new') return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: from.toISOString() }
  const { state } = await manager.streams.info(stream).catch(missing(stream))
  return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: state.last_seq + 1 }
}

/** The subject of the events that are wanted; undefined for all. NATS 2.9 takes one subject at a time. */
export function filterOf(namespace: string, event: string | undefined, service: ServiceName | undefined) {
  const known = EVENTS.find((one) => one.name === event)
  if (known !== undefined) return eventSubject(namespace, known)
  return service === undefined ? undefined : eventSubject(namespace, { name: '>', from: service })
}
