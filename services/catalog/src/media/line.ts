import type { Refusal } from '@storefront/chassis'

/** Runs work when it is its turn. */
export type Line = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * A line of bounded length before something that only so many may do at once. Who comes first is let in first.
 * @param options.maxWaitMs how long somebody stands in it at most
 * @param options.full makes what is thrown when the line is too long, or was stood in for too long
 */
export function createLine(options: {
  atOnce: number
  maxWaiting: number
  maxWaitMs: number
  full: () => Refusal
}): Line {
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

  /** Whoever is next takes the place of the one who leaves, so that nobody can slip in between. */
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
