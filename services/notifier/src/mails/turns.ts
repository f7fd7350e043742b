/**
 * Runs what has the same name one after the other, in the order in which it came, and everything else at once. What fails
 * does not keep the next one from its turn.
 */
export function createTurns(): (name: string, work: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>()
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, mine)
    const forget = () => {
      if (last.get(name) === mine) last.delete(name)
    }
    mine.then(forget, forget)
    return mine
  }
}
