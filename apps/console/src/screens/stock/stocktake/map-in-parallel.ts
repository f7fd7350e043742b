import { inParallel } from '../../../parts/in-parallel.ts'

const AT_ONCE = 4

/** Does the work for every item, some of them at the same time. @returns the results in the order of the items */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  onDone: (done: number) => void,
): Promise<Result[]> {
  const results: Result[] = []
  let done = 0
  await inParallel([...items.entries()], AT_ONCE, async ([index, item]) => {
    results[index] = await work(item)
    onDone(++done)
  })
  return results
}
