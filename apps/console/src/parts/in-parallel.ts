/** Works on every item, on some of them at the same time. @param atOnce how many are worked on at the same time */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const next = async (): Promise<void> => {
    // All workers take items from the same iterator.
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, next))
}
