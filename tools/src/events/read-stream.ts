import { DeliverPolicy, type ConsumerMessages, type JsMsg, type OrderedConsumerOptions } from '@nats-io/jetstream'
import { eventSubject, EVENTS, type ServiceName } from '@storefront/contracts'
import { StartError } from '../start-error.ts'
import { missing, type ShopStreams } from './shop-streams.ts'

/** A stream that delivers nothing for so long although messages remain has stopped sending. */
const IDLE_MS = 10_000
/** Between attempts to continue with a NATS that was just started and is not ready yet. */
const RETRY_MS = 250

export interface Reading {
  stream: string
  /** All subjects of the stream by default. */
  filter?: string | undefined
  /** The time of the first message; the beginning of the stream by default; `new` for future messages only. */
  from?: Date | 'new' | undefined
  /** Ends after the current last message; otherwise continues until `signal` is aborted. */
  bounded: boolean
  signal: AbortSignal
}

type Position = Partial<Pick<OrderedConsumerOptions, 'deliver_policy' | 'opt_start_time' | 'opt_start_seq'>>

const stoppedSending = () => new StartError('NATS has stopped sending: run the command again when NATS is up.')

/** Reads a stream in order, with a temporary consumer. */
export function readStream(streams: ShopStreams, reading: Reading): AsyncGenerator<JsMsg> {
  return reading.bounded ? readStored(streams, reading) : follow(streams, reading)
}

/** @throws StartError when NATS stops before the end, because the stream would seem to be shorter than it is */
async function* readStored(streams: ShopStreams, reading: Reading): AsyncGenerator<JsMsg> {
  const { signal } = reading
  const consumer = await open(streams, reading, await firstPosition(streams, reading))
  if (signal.aborted || (await consumer.info()).num_pending === 0) return
  const messages = await consumer.consume({ max_messages: 500 })
  const stop = (): void => messages.stop()
  const stopStuck = (): void => messages.stop(stoppedSending())
  signal.addEventListener('abort', stop, { once: true })
  let idle = setTimeout(stopStuck, IDLE_MS)
  try {
    for await (const message of messages) {
      clearTimeout(idle)
      yield message
      if (signal.aborted || message.info.pending === 0) return
      idle = setTimeout(stopStuck, IDLE_MS)
    }
    // When the connection is closed, the messages end without an error.
    if (!signal.aborted) throw stoppedSending()
  } finally {
    clearTimeout(idle)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/**
 * Continues after the last message when NATS is back. The client's own reconnection ends permanently and without an
 * error when JetStream is not ready at that moment.
 */
async function* follow(streams: ShopStreams, reading: Reading): AsyncGenerator<JsMsg> {
  const { signal } = reading
  let position = await firstPosition(streams, reading)
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
      const reconnectionsBefore = reconnections
      try {
        messages = await (await open(streams, reading, position)).consume({ max_messages: 500 })
      } catch (error) {
        if (isFirst || streams.connection.isClosed()) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        continue
      }
      isFirst = false
      // A consumer that was opened before the connection broke would wait forever.
      if (reconnectionsBefore !== reconnections || signal.aborted) stop()
      for await (const message of messages) {
        yield message
        position = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: message.seq + 1 }
        if (signal.aborted) return
      }
      if (streams.connection.isClosed() && !signal.aborted) throw stoppedSending()
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function open({ client }: ShopStreams, { stream, filter }: Reading, position: Position) {
  return client.consumers
    .get(stream, { ...(filter === undefined ? {} : { filter_subjects: filter }), ...position })
    .catch(missing(stream))
}

/** `new` begins after the current last message, so that no message is lost when the connection breaks. */
async function firstPosition({ manager }: ShopStreams, { stream, from }: Reading): Promise<Position> {
  if (from === undefined) return {}
  if (from !== 'new') return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: from.toISOString() }
  const { state } = await manager.streams.info(stream).catch(missing(stream))
  return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: state.last_seq + 1 }
}

/**
 * @returns the subject of the wanted events; undefined for all. NATS 2.9 accepts only one subject for each consumer.
 */
export function filterOf(namespace: string, event: string | undefined, service: ServiceName | undefined) {
  const known = EVENTS.find((one) => one.name === event)
  if (known !== undefined) return eventSubject(namespace, known)
  return service === undefined ? undefined : eventSubject(namespace, { name: '>', from: service })
}
