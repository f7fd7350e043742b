/** The source of every time, so that a test can set the time. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

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
