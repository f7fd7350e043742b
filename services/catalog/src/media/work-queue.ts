import type { HttpError } from '@storefront/service'

/** Runs work when there is capacity. */
export type WorkQueue = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * A bounded queue that limits how much work runs at the same time. First come, first served.
 * @param options.maxWaitMs the longest time that work may wait
 * @param options.full creates the error for a full queue, or for a wait that was too long
 */
export function createWorkQueue(options: {
  atOnce: number
  maxWaiting: number
  maxWaitMs: number
  full: () => HttpError
}): WorkQueue {
  const { atOnce, maxWaiting, maxWaitMs, full } = options
  const waiting: (() => void)[] = []
  let inside = 0

  async function enter(): Promise<void> {
    if (inside < atOnce) {
      inside++
      return
    }
    if (waiting.length >= maxWaiting) throw full()
    await new Promise<void>((resolve, reject) => {
      const called = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(called), 1)
        reject(full())
      }, maxWaitMs)
      waiting.push(called)
    })
  }

  /** Passes the slot to the next in the queue, so that no later work can take it first. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else inside--
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
