import { JetStreamError } from '@nats-io/jetstream'

const OUTAGE_RETRY_MS = 1000

/**
 * How long to wait before events are fetched again. Without the heartbeats of a fetch, nothing may be wrong with the server:
 * on a busy machine they come late, or what ends the fetch has come before its last message. A pause would only add to
 * the second that it took to find out.
 */
export function pauseBeforeFetchMs(error: unknown): number {
  return error instanceof JetStreamError && error.message === 'heartbeats missed' ? 0 : OUTAGE_RETRY_MS
}
