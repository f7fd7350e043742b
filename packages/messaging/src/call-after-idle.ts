/** A fetch that got nothing for this long may be ended early: hardly any event can be on its way. */
const IDLE_MS = 100

/**
 * Calls back when no event has arrived for 100 ms, and never when one arrives meanwhile.
 * @param arrivedMs when the last event arrived, by `performance.now()`
 */
export function callAfterIdle(arrivedMs: () => number, callback: () => void): NodeJS.Timeout {
  const lastMs = arrivedMs()
  return setTimeout(
    () => {
      // The clock does not decide: a timer may be early, and the callback would never come.
      if (arrivedMs() === lastMs) callback()
    },
    Math.max(0, lastMs + IDLE_MS - performance.now()),
  )
}
