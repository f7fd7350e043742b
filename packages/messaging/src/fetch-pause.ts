import { JetStreamError } from '@nats-io/jetstream'

const OUTAGE_RETRY_MS = 1000

/**
 * How long to wait before events are fetched again. Missed heartbeats need not mean that the server is away: on a busy
 * machine they come late, or the end of the fetch has arrived before its last message. A pause would only add to the
 * second that it took to find out.
 */
export function pauseBeforeFetchMs(error: unknown): number {
  return error instanceof JetStreamError && error.message === 'heartbeats missed' ? 0 : OUTAGE_RETRY_MS
}
