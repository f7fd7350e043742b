/** Counts how much of a limited resource each client holds. */
export interface ClientCounts {
  /** @param many 1 by default. @returns how much the client holds with these */
  take(client: string, many?: number): number
  release(client: string, many?: number): void
}

/** A client that holds nothing takes no memory. */
export function clientCounts(): ClientCounts {
  const held = new Map<string, number>()
  return {
    take(client, many = 1) {
      const count = (held.get(client) ?? 0) + many
      held.set(client, count)
      return count
    },
    release(client, many = 1) {
      const left = (held.get(client) ?? 0) - many
      if (left <= 0) held.delete(client)
      else held.set(client, left)
    },
  }
}
