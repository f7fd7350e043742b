import type { Clock } from '../clock.ts'

/** A clock that stands still until it is set. */
export function manualClock(start: Date | string): Clock & { advance(ms: number): void } {
  let time = new Date(start).getTime()
  return {
    now: () => new Date(time),
    advance(ms) {
      time += ms
    },
  }
}
