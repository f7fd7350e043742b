import { every, type Log, type Timer } from '@storefront/service'
import { tolerateOutage } from './tolerate-outage.ts'

interface Batches {
  /** What it does, as the log names it: `index orders`. */
  name: string
  log: Log
  /** The polling interval, in milliseconds: it finds what a dead replica left behind. */
  everyMs: number
  /** The minimum pause between two runs, however often it is woken, in milliseconds: 0 by default. */
  gapMs?: number
  /**
   * Looks whether any row waits before a transaction begins, so that an empty queue costs one statement in place of
   * four. It is left out when the queue was woken.
   */
  isWaiting?: () => Promise<boolean>
  /**
   * Processes the next rows. They leave the queue in the transaction that writes their result, so that a crash loses
   * none.
   * @param isStopping becomes true when the service stops, for work that takes long
   * @returns whether more may wait, which is then processed at once
   */
  next: (isStopping: () => boolean) => Promise<boolean>
}

/**
 * Processes a queue batch by batch until it is empty, again and again. An error ends the run, and the next one follows
 * after the interval.
 * @returns wake it when a row was queued; its stop waits for the batch in progress, and begins no other
 */
export function processBatches({ name, log, everyMs, gapMs = 0, isWaiting, next }: Batches): Timer {
  let stopping = false
  const isStopping = () => stopping
  let isWoken = false
  const work = async () => {
    const mustLook = isWaiting !== undefined && !isWoken
    isWoken = false
    if (mustLook && !(await isWaiting())) return
    while (!stopping && (await next(isStopping)));
  }
  const timer = every(everyMs, name, log, () => tolerateOutage({ name, log }, work), { gapMs })
  return {
    wake() {
      isWoken = true
      timer.wake()
    },
    stop() {
      stopping = true
      return timer.stop()
    },
  }
}
