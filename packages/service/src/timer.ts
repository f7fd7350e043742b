import { failureLog } from './failure-log.ts'
import type { Log } from './log.ts'
import { withoutSpan } from './tracing/spans.ts'

/** What continues until it is stopped. */
export interface Stoppable {
  /** Begins nothing more, and waits for what is in progress. */
  stop(): Promise<void>
}

/** What a service has registered beside its routes and request handlers. */
export interface Registered {
  /** Stop first, together with the routes. */
  consumers: readonly Stoppable[]
  /** Stop when no request and no event is in progress. */
  timers: readonly Stoppable[]
}

export interface Timer extends Stoppable {
  /** Runs now, or once more when a run is in progress; no sooner after the last run than the gap allows. */
  wake(): void
}

/** The longest random delay of a timer's first run. */
const LONGEST_SHIFT_MS = 500

/**
 * Runs `work` again and again, never twice at once. An error is logged, by `failureLog`, and the next run still
 * follows.
 * @param everyMs pause between the end of a run and the start of the next
 * @param options.gapMs the minimum pause, however often it is woken: wakes in between are served by one run
 */
export function every(
  everyMs: number,
  name: string,
  log: Log,
  work: () => Promise<void>,
  options: { gapMs?: number } = {},
): Timer {
  const { gapMs = 0 } = options
  let handle: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let stopped = false
  let endedMs = -Infinity
  const failures = failureLog((facts) => log.error({ ...facts, timer: name }, 'a timed job failed'))

  function schedule(ms: number): void {
    if (stopped) return
    clearTimeout(handle)
    handle = setTimeout(run, ms)
    handle.unref()
  }

  function run(): void {
    clearTimeout(handle)
    again = false
    // The run serves other callers as well, so an error is not thrown to the one that woke it.
    running = withoutSpan(work)
      .then(failures.succeeded, failures.failed)
      .then(() => {
        running = undefined
        endedMs = performance.now()
        if (again) runSoon()
        else schedule(everyMs)
      })
  }

  function runSoon(): void {
    const waitMs = endedMs + gapMs - performance.now()
    if (waitMs > 0) schedule(waitMs)
    else if (!stopped) run()
  }

  // Timers that start together must not stay in step: each would need a database connection of its own.
  schedule(everyMs + Math.random() * Math.min(everyMs / 4, LONGEST_SHIFT_MS))
  return {
    wake() {
      if (stopped) return
      if (running) again = true
      else runSoon()
    },
    async stop() {
      stopped = true
      clearTimeout(handle)
      await running
    },
  }
}
