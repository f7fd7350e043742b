interface Terminal {
  isTTY?: boolean
  write(text: string): boolean
}

const IN_PLACE_MS = 500
const PLAIN_MS = 5000
const CLEAR_LINE = '\r\u001b[2K'

/**
 * Shows how far a load is: a line updated in place on a terminal, now and then a line of its own elsewhere.
 * @param things what is counted, in the plural
 */
export function showLoadProgress(out: Terminal, total: number, clock: () => number, things = 'products') {
  const isTerminal = out.isTTY === true
  const begunMs = clock()
  let count = 0
  let shownMs = begunMs
  let shown = -1
  const show = (end: string): void => {
    const line = describeProgress({ count, total, things }, clock() - begunMs)
    out.write(isTerminal ? `${CLEAR_LINE}${line}${end}` : `${line}\n`)
    shownMs = clock()
    shown = count
  }
  return {
    /** @param now the number of things that are in the shop now */
    reached(now: number) {
      count = now
      if (clock() - shownMs >= (isTerminal ? IN_PLACE_MS : PLAIN_MS)) show('')
    },
    /** Shows the last state and ends the line. */
    end() {
      if (isTerminal || shown !== count) show('\n')
    },
  }
}

function describeProgress(
  { count, total, things }: { count: number; total: number; things: string },
  elapsedMs: number,
): string {
  const perSecond = count / Math.max(0.001, elapsedMs / 1000)
  const left = perSecond === 0 ? '' : `, ${duration((total - count) / perSecond)} left`
  const counted = `${count.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ${things}`
  return `${counted}, ${Math.round(perSecond).toLocaleString('en-US')}/s${count === total ? '' : left}`
}

/** Seconds for a person: `45 s` or `3 min 20 s`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
