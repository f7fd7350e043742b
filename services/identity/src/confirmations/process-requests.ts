import { randomInt } from 'node:crypto'
import { processBatches } from '@storefront/jobs'
import type { Clock, Timer } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { IdentityContext } from '../context.ts'
import type { Tx } from '../database.ts'

/** The polling interval, for requests that a crashed replica left behind. */
const SWEEP_MS = 10_000
/** Requests that arrive meanwhile are processed together: the load that follows a request reveals nothing about it. */
const GAP_MS = 500
const LONGEST_DELAY_MS = 500

/**
 * Processes requests later than they are made: neither their response nor its time can reveal the result.
 * @param processOne takes the oldest in its transaction, and reads the clock after that: it may have arrived while the
 * transaction began; false when there was none
 * @returns wake it with every request
 */
export function processRequests(
  name: string,
  { db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>,
  processOne: (tx: Tx, clock: Clock) => Promise<boolean>,
): Timer {
  // One transaction for each: when the service stops in between, the remaining requests are still stored.
  const next = () => transaction(db, (tx) => processOne(tx, clock))
  const timer = processBatches({ name, log, everyMs: SWEEP_MS, gapMs: GAP_MS, next })
  // For requests that a crash left behind.
  timer.wake()
  return {
    stop: () => timer.stop(),
    // At a random moment, so that an outsider cannot measure what the next request had to wait for.
    wake: () => void setTimeout(() => timer.wake(), randomInt(LONGEST_DELAY_MS)).unref(),
  }
}
