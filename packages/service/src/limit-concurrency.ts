/** Runs work when there is capacity. */
export type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Runs a few tasks at once, keeps a limited number waiting in order, and rejects the others.
 * @param options.maxWaitMs the longest time that a task may wait; by default, as long as it takes
 * @param options.error creates the error for a task that finds too many waiting, or has waited too long
 */
export function limitConcurrency(options: {
  atOnce: number
  waiting: number
  maxWaitMs?: number
  error: () => Error
}): ConcurrencyLimit {
  const { atOnce, waiting, maxWaitMs, error } = options
  const queue: (() => void)[] = []
  let underWay = 0

  function waitInLine(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        queue.splice(queue.indexOf(begin), 1)
        reject(error())
      }
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs)
      queue.push(begin)
    })
  }

  return async (work) => {
    if (underWay < atOnce) underWay++
    else if (queue.length >= waiting) throw error()
    else await waitInLine()
    try {
      return await work()
    } finally {
      const next = queue.shift()
      // The slot is passed on, not freed: a new task cannot get in between.
      if (next) next()
      else underWay--
    }
  }
}
