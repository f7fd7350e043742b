/**
 * Lets a few pieces of work run at once, keeps a bounded number waiting in order, and refuses the rest.
 * @param options.refusal makes what is thrown at once when too many are waiting
 */
export function takeTurns(options: { atOnce: number; waiting: number; refusal: () => Error }) {
  const queue: (() => void)[] = []
  let underWay = 0

  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (underWay < options.atOnce) underWay++
    else if (queue.length >= options.waiting) throw options.refusal()
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      // The place is handed over, not freed: somebody new cannot slip in between.
      if (next) next()
      else underWay--
    }
  }
}
