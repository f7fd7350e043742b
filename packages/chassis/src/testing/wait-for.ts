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
  const deadline = Date.now() + timeoutMs
  let lastError: unknown
  while (Date.now() < deadline) {
    try {
      const result = await condition()
      if (result !== undefined && result !== false) return result
    } catch (error) {
      lastError = error
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}`, { cause: lastError })
}
