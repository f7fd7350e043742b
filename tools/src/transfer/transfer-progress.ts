export type TransferProgress = ReturnType<typeof showTransferProgress>

interface Terminal {
  isTTY?: boolean
  write(text: string): boolean
}

const IN_PLACE_MS = 200
const PLAIN_MS = 5000
const CLEAR_LINE = '\r\u001b[2K'
const BAR_WIDTH = 24
const EARLY_MS = 500

/** Draws a progress bar on a terminal; elsewhere prints a line every few seconds. */
export function showTransferProgress(out: Terminal, clock: () => number) {
  const isTerminal = out.isTTY === true
  let begun = { what: '', atMs: clock() }
  let shownMs = -Infinity
  let isDrawn = false
  return {
    /** Shows how much of the total is done. The total is 0 while it is unknown. */
    reached(what: string, done: number, total: number) {
      if (what !== begun.what) begun = { what, atMs: clock() }
      else if (clock() - shownMs < (isTerminal ? IN_PLACE_MS : PLAIN_MS)) return
      shownMs = clock()
      const line = describeTransfer(what, done, total, clock() - begun.atMs)
      out.write(isTerminal ? `${CLEAR_LINE}${line}` : `${line}\n`)
      isDrawn = isTerminal
    },
    /** Prints a line above the progress. */
    print(line: string) {
      out.write(`${isDrawn ? CLEAR_LINE : ''}${line}\n`)
      isDrawn = false
    },
    end() {
      if (isDrawn) out.write('\n')
      isDrawn = false
    },
  }
}

function describeTransfer(what: string, done: number, total: number, elapsedMs: number): string {
  const perSecond = done / Math.max(0.001, elapsedMs / 1000)
  // The rate of the first moment does not predict the remaining time.
  const isEarly = elapsedMs < EARLY_MS
  const rate = isEarly ? '' : `, ${Math.round(perSecond).toLocaleString('en-US')}/s`
  if (total <= 0) return `${what.padEnd(9)} ${done.toLocaleString('en-US')}${rate}`
  const share = Math.min(1, done / total)
  const filled = Math.round(share * BAR_WIDTH)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
  const left = isEarly || perSecond === 0 || share === 1 ? '' : `, ${duration((total - done) / perSecond)} left`
  const counted = `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`
  return `${what.padEnd(9)} ${bar} ${Math.floor(share * 100)} %  ${counted}${rate}${left}`
}

function duration(seconds: number): string {
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
