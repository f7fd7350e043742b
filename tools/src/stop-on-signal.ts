/** npm sends Ctrl-C to a process that has already received it from the terminal: two within this time count as one. */
const sameSignalMs = 700

interface Stopping {
  /** Begins the orderly stop. */
  stop: () => void
  /** Ends everything without it. */
  endAtOnce: () => void
  /** Receives the signals; this process by default. */
  source?: NodeJS.EventEmitter
}

/** Keeps a closed terminal from preventing the orderly stop: what is printed from then on is lost. */
export function ignoreClosedTerminal(outputs: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr]): void {
  for (const output of outputs) output.on('error', () => {})
}

/** Stops in order at the first signal, and ends everything at once at a later one. */
export function stopOnSignal({ stop, endAtOnce, source = process }: Stopping): void {
  let firstAt: number | undefined
  let isEnding = false
  const receive = (): void => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      stop()
    } else if (!isEnding && performance.now() - firstAt > sameSignalMs) {
      isEnding = true
      endAtOnce()
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) source.on(signal, receive)
}
