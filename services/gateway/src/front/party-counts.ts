/** Counts what each client holds at the moment. */
export interface PartyCounts {
  /** @param many 1 by default. @returns how much the client holds with these */
  take(party: string, many?: number): number
  release(party: string, many?: number): void
}

/** A client that holds nothing takes no memory. */
export function partyCounts(): PartyCounts {
  const held = new Map<string, number>()
  return {
    take(party, many = 1) {
      const count = (held.get(party) ?? 0) + many
      held.set(party, count)
      return count
    },
    release(party, many = 1) {
      const left = (held.get(party) ?? 0) - many
      if (left <= 0) held.delete(party)
      else held.set(party, left)
    },
  }
}
