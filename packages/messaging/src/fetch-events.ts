import { jetstream, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import { eventsStream } from '@storefront/contracts'
import { failureLog, type Log, type Stoppable } from '@storefront/service'
import { callAfterIdle } from './call-after-idle.ts'
import { pauseBeforeFetchMs } from './fetch-pause.ts'
import type { Messaging } from './messaging.ts'

/** The maximum number of events that wait in memory. */
export const MAX_BUFFERED = 256
/** The minimum that the client allows. */
const FETCH_MS = 1000
const FETCH = { max_messages: MAX_BUFFERED, expires: FETCH_MS }
/**
 * After a fetch that received nothing, the next one waits longer for one event: a shop without visitors would otherwise
 * spend most of the time of NATS on requests for events that do not exist. After NATS has lost such a request, events
 * wait until it ends.
 */
const IDLE_FETCH = { max_messages: 1, expires: 4000 }

/**
 * Fetches events from a durable consumer, one after the other, and tries again when that fails.
 * @param receive the next event waits until it is resolved
 * @returns its stop ends at once when no events arrive, else at the end of the fetch, within a second
 */
export function fetchEvents(
  { messaging, log, durable, name }: { messaging: Messaging; log: Log; durable: string; name: string },
  receive: (message: JsMsg) => Promise<void>,
): Stoppable {
  let stopped = false
  let messages: ConsumerMessages | undefined
  let subscription: Subscription | undefined
  let arrivedMs = -Infinity
  const failures = failureLog((facts) => log.warn({ ...facts, event: name }, 'events cannot be fetched; trying again'))
  const { promise: waitingEnds, resolve: endWaiting } = Promise.withResolvers<void>()
  const fetching = fetchForever()

  async function fetchForever(): Promise<void> {
    while (!stopped) {
      try {
        await fetchUntilStopped()
      } catch (error) {
        if (stopped) return
        failures.failed(error)
        await new Promise((resolve) => setTimeout(resolve, pauseBeforeFetchMs(error)))
      }
    }
  }

  async function fetchUntilStopped(): Promise<void> {
    const consumer = await openConsumer(messaging, durable, (made) => (subscription = made))
    // Not consume(): it can only be cut off, and messages in transit at that moment would be redelivered only after
    // ACK_WAIT_MS. A fetch comes to an end that both sides know of.
    for (let next = FETCH; !stopped;) {
      messages = await consumer.fetch(next)
      next = IDLE_FETCH
      for await (const message of messages) {
        next = FETCH
        arrivedMs = performance.now()
        await receive(message)
      }
      failures.succeeded()
    }
  }

  return {
    async stop() {
      stopped = true
      // The fetch may be waiting for a NATS server that never comes back.
      const deadline = setTimeout(endWaiting, 2 * FETCH_MS)
      // Draining ends the fetch, and delivers what the server has already sent. It fails when the fetch has already
      // ended.
      const drained = callAfterIdle(
        () => arrivedMs,
        () => void subscription?.drain().catch(() => {}),
      )
      await Promise.race([fetching, waitingEnds])
      clearTimeout(deadline)
      clearTimeout(drained)
      await messages?.close()
    },
  }
}

/** @param note gets the subscription of each fetch */
async function openConsumer(messaging: Messaging, durable: string, note: (subscription: Subscription) => void) {
  await messaging.opened
  const connection = noteSubscriptions(messaging.connection(), note)
  return jetstream(connection).consumers.get(eventsStream(messaging.namespace), durable)
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
