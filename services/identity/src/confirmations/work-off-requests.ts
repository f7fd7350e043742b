import { randomInt } from 'node:crypto'
import { every, isOutage, transaction, type Clock, type Timer } from '@storefront/chassis'
import type { Dependencies } from '../app.ts'
import type { Tx } from '../database.ts'

/** Picks up what another copy left behind when it crashed. */
const SWEEP_MS = 10_000
/** What comes meanwhile is worked off together: one request cannot be told by how busy the service is after it. */
const GAP_MS = 500
const LONGEST_DELAY_MS = 500

/**
 * Works off requests at another moment than they are made: neither their answer nor its time can tell what comes of them.
 * @param workOffOne takes the oldest in its transaction, and reads the clock after that: it may have come while the
 * transaction began; false when there was none
 * @returns poke it with every request
 */
export function workOffRequests(
  name: string,
  { db, clock, log }: Pick<Dependencies, 'db' | 'clock' | 'log'>,
  workOffOne: (tx: Tx, clock: Clock) => Promise<boolean>,
): Timer {
  const work = async () => {
    try {
      // One transaction for each: when the service stops in the middle, what is left is still written down.
      while (await transaction(db, (tx) => workOffOne(tx, clock)));
    } catch (error) {
      if (!isOutage(error)) throw error
      log.debug({ err: error, timer: name }, 'requests wait until the database is back')
    }
  }
  const timer = every(SWEEP_MS, name, log, work, { gapMs: GAP_MS })
  // What a crash left behind.
  timer.poke()
  return {
    stop: () => timer.stop(),
    // At a moment that nobody outside knows, for whoever would measure what the next request had to wait for.
    poke: () => void setTimeout(() => timer.poke(), randomInt(LONGEST_DELAY_MS)).unref(),
  }
}
