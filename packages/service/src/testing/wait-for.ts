const SHORTEST_PAUSE_MS = 15
const LONGEST_PAUSE_MS = 200

/**
 * Waits until `condition` returns something other than undefined or false. Tests wait for conditions, they do not
 * sleep.
 * @param timeoutMs a limit for a condition that never holds, and not an expected duration: the machine may be busy
 * @throws Error that names what was waited for, with the last error of the condition if it threw
 */
export async function waitFor<Result>(
  what: string,
  condition: () => Result | undefined | false | Promise<Result | undefined | false>,
  timeoutMs = 60_000,
): Promise<Result> {
  const begun = Date.now()
  let lastError: unknown
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs = Date.now() - begun) {
    try {
      const result = await condition()
      if (result !== undefined && result !== false) return result
    } catch (error) {
      lastError = error
    }
    // A condition that takes long is checked less often, because each check has its cost.
    const pauseMs = Math.min(Math.max(SHORTEST_PAUSE_MS, waitedMs / 8), LONGEST_PAUSE_MS)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new Error(`waited ${timeoutMs} ms for ${what} without success`, { cause: lastError })
}
