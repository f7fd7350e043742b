/**
 * Runs a few tasks at once, keeps a limited number waiting in order, and rejects the others.
 * @param options.error creates the error that is thrown at once when too many are waiting
 */
export function limitConcurrency(options: { atOnce: number; waiting: number; error: () => Error }) {
  const queue: (() => void)[] = []
  let underWay = 0

  return async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (underWay < options.atOnce) underWay++
    else if (queue.length >= options.waiting) throw options.error()
    else await new Promise<void>((resolve) => queue.push(resolve))
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
