import type { HttpError } from '@storefront/service'

/** Runs work when it is its turn. */
export type WorkQueue = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * A bounded queue for work of which only a limited number may run at once. First come, first served.
 * @param options.maxWaitMs how long work waits at most
 * @param options.full makes the error for a full queue, or for a wait that was too long
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

  /** The next in the queue takes the place of the one that leaves, so that no newcomer can slip in between. */
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
