/** Does the work for every item in their order, this many at a time, and says how many are done. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  onDone: (done: number) => void,
  atOnce = 4,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  let done = 0
  async function turn(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      if (item === undefined) continue
      results[index] = await work(item)
      onDone(++done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, turn))
  return results
}
