import type { Log } from './log.ts'

export interface Timer {
  /** Waits for a run that is under way. */
  stop(): Promise<void>
  /** Runs now, or once more when a run is under way. */
  poke(): void
}

/**
 * Runs `work` again and again, never twice at once. An error is logged and the next run comes all the same.
 * @param everyMs pause between the end of a run and the start of the next
 */
export function every(everyMs: number, name: string, log: Log, work: () => Promise<void>): Timer {
  let handle: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let stopped = false

  function schedule(): void {
    if (stopped) return
    handle = setTimeout(run, everyMs)
    handle.unref()
  }

  function run(): void {
    clearTimeout(handle)
    running = work()
      .catch((error: unknown) => log.error({ err: error, timer: name }, 'a timed job failed'))
      .then(() => {
        running = undefined
        if (again && !stopped) {
          again = false
          run()
        } else schedule()
      })
  }

  schedule()
  return {
    poke() {
      if (stopped) return
      if (running) again = true
      else run()
    },
    async stop() {
      stopped = true
      clearTimeout(handle)
      await running
    },
  }
}
