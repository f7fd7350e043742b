/**
 * Runs tasks with the same key one after the other, in the order of their arrival, and all others concurrently. A
 * failed task does not block the next one.
 */
export function createKeyedQueue(): (name: string, work: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>()
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, mine)
    const remove = () => {
      if (last.get(name) === mine) last.delete(name)
    }
    mine.then(remove, remove)
    return mine
  }
}
