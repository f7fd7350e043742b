interface Terminal {
  isTTY?: boolean
  columns?: number
  write(text: string): boolean
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const clearLine = '\r\u001b[2K'

/** Prints lines about the progress of a start; on a terminal also a clock below them. */
export function showProgress(out: Terminal) {
  const began = performance.now()
  const elapsed = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`
  const isTerminal = out.isTTY === true
  let isStopped = false
  let current = ''
  let frame = 0
  let timer: NodeJS.Timeout | undefined
  const finish = (): void => {
    if (isTerminal && current !== '') out.write(`${clearLine}  ✓ ${current}\n`)
    current = ''
  }
  const draw = (): void => {
    frame = (frame + 1) % frames.length
    // A line that wraps could not be cleared.
    const room = (out.columns ?? 80) - elapsed().length - 6
    const shown = current.length > room ? `${current.slice(0, Math.max(room - 1, 0))}…` : current
    out.write(`${clearLine}  ${frames[frame]} ${shown} ${elapsed()}`)
  }
  return {
    print: (line: string) => {
      if (isStopped) {
        out.write(`${new Date().toLocaleTimeString('en-GB')}  ${line}\n`)
      } else if (isTerminal) {
        finish()
        current = line
        timer ??= setInterval(draw, 80)
        draw()
      } else {
        out.write(`[${elapsed().padStart(7)}] ${line}\n`)
      }
    },
    /** Removes the clock. Later lines have the time of day. */
    stopClock: () => {
      clearInterval(timer)
      finish()
      isStopped = true
    },
  }
}
