interface Call<Item, Result> {
  item: Item
  done: (result: Result) => void
  failed: (error: unknown) => void
}

/**
 * Combines calls of the same few milliseconds into one, because a commit costs more than a row. Calls that arrive later
 * do not wait for the end of the work.
 * @param gatherMs how long the first call waits for others
 * @param work receives the items in the order of their calls, and returns how to find the result of each, which may
 * throw; an error of the work itself is thrown to all callers
 */
export function together<Item, Result>(
  gatherMs: number,
  work: (items: readonly Item[]) => Promise<(item: Item) => Result>,
): (item: Item) => Promise<Result> {
  let waiting: Call<Item, Result>[] = []

  async function workOnWaiting(): Promise<void> {
    const batch = waiting
    waiting = []
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
      if (waiting.length === 1) setTimeout(() => void workOnWaiting(), gatherMs)
    })
}
