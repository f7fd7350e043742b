import { randomUUID } from 'node:crypto'
import { headers } from '@nats-io/transport-node'
import { EVENT_ID_HEADER } from '@storefront/messaging'
import { eventSubject, type EventDefinition } from '@storefront/contracts'
import { messageOf, StartError } from '../start-error.ts'
import type { ShopStreams } from './shop-streams.ts'

/**
 * The maximum age of an event that is published again. It may wait in the stream for seven days more, and receipts are
 * kept for fourteen days: a consumer that processed it still has the receipt when the repeated event arrives.
 */
export const MAX_REPLAY_AGE_MS = 7 * 86_400_000

/** Whether a consumer that processed this event may have deleted its receipt before a repeat arrives. */
export function isTooOld(event: { at: string }, now: Date): boolean {
  return new Date(event.at).getTime() < now.getTime() - MAX_REPLAY_AGE_MS
}

/**
 * @returns a function that publishes stored events on their own subjects, byte for byte. JetStream stores a message
 * that it publishes twice only once, so a publication whose acknowledgement was lost can be retried.
 */
export function republisher(streams: ShopStreams) {
  const run = randomUUID()
  /** @param place names the stored message within this run. @throws StartError when JetStream did not acknowledge it */
  return async (
    event: { id: string },
    definition: EventDefinition,
    payload: Uint8Array,
    place: string,
  ): Promise<void> => {
    const head = headers()
    head.set('Nats-Msg-Id', `replay:${run}:${place}`)
    head.set(EVENT_ID_HEADER, event.id)
    const subject = eventSubject(streams.namespace, definition)
    await streams.client.publish(subject, payload, { headers: head, retries: 3 }).catch((error: unknown): never => {
      throw new StartError(
        `NATS did not accept ${event.id} (${messageOf(error)}): run the command again when NATS is up.`,
      )
    })
  }
}
