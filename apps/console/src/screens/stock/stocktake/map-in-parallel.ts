/** Does the work for every item, `atOnce` of them at the same time. @returns the results in the order of the items */
export async function mapInParallel<Item, Result>(
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
