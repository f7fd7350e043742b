/** Where every time comes from, so that a test can decide what time it is. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock that stands still until told otherwise. */
export function manualClock(start: Date | string): Clock & { advance(ms: number): void } {
  let time = new Date(start).getTime()
  return {
    now: () => new Date(time),
    advance(ms) {
      time += ms
    },
  }
}
