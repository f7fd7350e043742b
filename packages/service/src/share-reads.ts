/**
 * Lets callers of the same turn of the event loop share a read. For a read of Redis: their commands would leave in one
 * packet, so none of them gets an older value than with a command of its own.
 */
export function shareReads<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let shared: Promise<Value> | undefined
  return () => {
    if (shared === undefined) {
      // Before the read: when its packet leaves at the end of this turn, the next caller begins another one.
      setImmediate(() => (shared = undefined))
      shared = read()
    }
    return shared
  }
}
