/** Counts how much of a limited resource each client holds. A client that holds nothing takes no memory. */
export function clientCounts() {
  const held = new Map<string, number>()
  return {
    /** @returns how much the client holds with these */
    take(client: string, many = 1) {
      const count = (held.get(client) ?? 0) + many
      held.set(client, count)
      return count
    },
    release(client: string, many = 1) {
      const left = (held.get(client) ?? 0) - many
      if (left <= 0) held.delete(client)
      else held.set(client, left)
    },
  }
}
