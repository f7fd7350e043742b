import { randomInt } from 'node:crypto'
import type { Log, Timer } from '@storefront/service'
import { processBatches } from './process-batches.ts'

/** The polling interval, for requests that a crashed replica left behind. */
const SWEEP_MS = 10_000
/** Requests that arrive meanwhile are processed together: the load that follows a request reveals nothing about it. */
const GAP_MS = 500
const LONGEST_DELAY_MS = 500

/**
 * Processes requests later than they are made: neither their response nor its time can reveal the result.
 * @param name what they are, as the log names them: `newsletter requests`
 * @param processOne takes the oldest in a transaction of its own, so that the others are stored when the service stops
 * in between, and reads the clock after it has taken one: it may have arrived while the transaction began; false when
 * there was none
 * @returns wake it with every request
 */
export function processRequests(name: string, log: Log, processOne: () => Promise<boolean>): Timer {
  const timer = processBatches({ name, log, everyMs: SWEEP_MS, gapMs: GAP_MS, next: processOne })
  // For requests that a crash left behind.
  timer.wake()
  return {
    stop: () => timer.stop(),
    // At a random moment, so that an outsider cannot measure what the next request had to wait for.
    wake: () => void setTimeout(() => timer.wake(), randomInt(LONGEST_DELAY_MS)).unref(),
  }
}
