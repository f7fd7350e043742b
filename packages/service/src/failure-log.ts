/** How often work that keeps failing is logged: in an outage, a line for each failure would fill the log. */
const EVERY_MS = 60_000

/**
 * Logs failures in a row: each message once, and then the latest one every minute.
 * @param write gets the error, and how many there were in a row
 */
export function failureLog(write: (facts: { err: unknown; failures: number }) => void) {
  const known = new Set<string>()
  let failures = 0
  let loggedMs = -Infinity
  return {
    failed: (error: unknown): void => {
      failures++
      const message = error instanceof Error ? error.message : String(error)
      const isDue = performance.now() - loggedMs >= EVERY_MS
      if (known.has(message) && !isDue) return
      // Messages with an id in them would otherwise be kept for as long as the outage.
      if (isDue) known.clear()
      known.add(message)
      loggedMs = performance.now()
      write({ err: error, failures })
    },
    /** The next failure is the first one again. */
    succeeded: (): void => {
      failures = 0
      known.clear()
    },
  }
}
