interface Call<Item, Result> {
  item: Item
  done: (result: Result) => void
  failed: (error: unknown) => void
}

/**
 * Combines calls of the same few milliseconds into one, because a commit costs more than a row. Calls that arrive
 * during the work are combined for the next one.
 * @param gatherMs how long the first call waits for others
 * @param work receives the items in the order of their calls, and returns how to find the result of each, which may
 * throw; an error of the work itself is thrown to all callers
 */
export function together<Item, Result>(
  gatherMs: number,
  work: (items: readonly Item[]) => Promise<(item: Item) => Result>,
): (item: Item) => Promise<Result> {
  let waiting: Call<Item, Result>[] = []
  let isBusy = false

  async function workOnAll(): Promise<void> {
    for (let batch = waiting; batch.length > 0; batch = waiting) {
      waiting = []
      await workOn(batch)
    }
    isBusy = false
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
      if (isBusy) return
      isBusy = true
      setTimeout(() => void workOnAll(), gatherMs)
    })
}
