import { setTimeout as pause } from 'node:timers/promises'

interface Call<Item, Result> {
  item: Item
  done: (result: Result) => void
  failed: (error: unknown) => void
}

/** The longest that calls wait for running work: one batch that is stuck must not hold up all others. */
const MAX_WAIT_MS = 50

/**
 * Combines calls of the same few milliseconds into one, because a commit costs more than a row. Calls that arrive
 * during the work share the next one, which begins at its end: the busier the database, the more share one statement.
 * @param batchDelayMs how long the first call waits for others
 * @param work receives the items in the order of their calls, and returns how to find the result of each, which may
 * throw; an error of the work itself is thrown to all callers
 */
export function batchCalls<Item, Result>(
  batchDelayMs: number,
  work: (items: readonly Item[]) => Promise<(item: Item) => Result>,
): (item: Item) => Promise<Result> {
  let waiting: Call<Item, Result>[] = []
  let underWay: Promise<void> = Promise.resolve()

  async function workOnWaiting(): Promise<void> {
    await pause(batchDelayMs)
    await endOf(underWay, MAX_WAIT_MS)
    underWay = workOn(waiting)
    waiting = []
  }

  async function workOn(batch: readonly Call<Item, Result>[]): Promise<void> {
    const resultOf = await work(batch.map(({ item }) => item)).catch((error: unknown) => () => {
      throw error
    })
    for (const { item, done, failed } of batch) {
      try {
        done(resultOf(item))
      } catch (error) {
        failed(error)
      }
    }
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed })
      if (waiting.length === 1) void workOnWaiting()
    })
}

/** Waits until the work ends, and no longer than this. Without a signal: each one that is aborted makes an error. */
function endOf(work: Promise<void>, atMostMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, atMostMs)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
