const SHORTEST_PAUSE_MS = 15
const LONGEST_PAUSE_MS = 200
/** Checks take a sixth of the time of a wait at most: a request through all services takes 5 ms of CPU time or more. */
const PAUSE_PER_CHECK = 5

/**
 * Waits until `condition` returns something other than undefined or false. Tests wait for conditions, they do not
 * sleep.
 * @param timeoutMs a limit for a condition that never holds, and not an expected duration: the machine may be busy
 * @param longestPauseMs shorter for a state that may soon end again, such as a wait for a lock
 * @throws Error that names what was waited for, with the last error of the condition if it threw
 */
export async function waitFor<Result>(
  what: string,
  condition: () => Result | undefined | false | Promise<Result | undefined | false>,
  timeoutMs = 60_000,
  longestPauseMs = LONGEST_PAUSE_MS,
): Promise<Result> {
  const begun = Date.now()
  let lastError: unknown
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs = Date.now() - begun) {
    const checkedAt = Date.now()
    try {
      const result = await condition()
      if (result !== undefined && result !== false) return result
    } catch (error) {
      lastError = error
    }
    const tookMs = Date.now() - checkedAt
    // A condition that takes long is checked less often, because each check has its cost.
    const wantedMs = Math.max(SHORTEST_PAUSE_MS, waitedMs / 8, tookMs * PAUSE_PER_CHECK)
    const pauseMs = Math.min(wantedMs, longestPauseMs)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new Error(`waited ${timeoutMs} ms for ${what} without success`, { cause: lastError })
}
