/** Counts what each party holds at the moment. */
export interface PartyCounts {
  /** @returns how much the party holds with this one */
  take(party: string): number
  release(party: string): void
}

/** Whoever holds nothing takes no memory. */
export function partyCounts(): PartyCounts {
  const held = new Map<string, number>()
  return {
    take(party) {
      const count = (held.get(party) ?? 0) + 1
      held.set(party, count)
      return count
    },
    release(party) {
      const left = (held.get(party) ?? 1) - 1
      if (left === 0) held.delete(party)
      else held.set(party, left)
    },
  }
}
