import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { runOpenLoop } from './open-loop.ts'

/** An open loop with its own clock, which advances by `stepMs` whenever the loop pauses. */
function loopWith(options: {
  perSecond?: number
  count?: number
  atATime?: number
  stepMs?: number
  workMs: (number: number) => number
  stopAtMs?: number
}) {
  const { perSecond = 100, count = 20, atATime = 3, stepMs = 1, workMs, stopAtMs = Infinity } = options
  let nowMs = 5000
  let underWay = 0
  const seen = { startedMs: [] as number[], mostUnderWay: 0, doneMs: 0 }
  const waiting: { untilMs: number; resolve: () => void }[] = []
  const result = runOpenLoop({
    perSecond,
    count,
    atATime,
    now: () => nowMs,
    async pause() {
      nowMs += stepMs
      for (const { untilMs, resolve } of waiting) if (untilMs <= nowMs) resolve()
      await setImmediate()
    },
    isStopped: () => nowMs - 5000 >= stopAtMs,
    async start(number) {
      seen.startedMs[number] = nowMs - 5000
      seen.mostUnderWay = Math.max(seen.mostUnderWay, ++underWay)
      const untilMs = nowMs + workMs(number)
      if (untilMs > nowMs) await new Promise<void>((resolve) => waiting.push({ untilMs, resolve }))
      underWay--
    },
  })
  return { result, seen }
}

describe('the open loop', () => {
  test('starts each call when it is due, whatever the duration of the others', async () => {
    const { result, seen } = loopWith({ count: 5, atATime: 5, workMs: (number) => (number === 4 ? 1 : 1000) })
    // The loop ends only when the clock advances, which happens in pauses.
    void result
    while (seen.startedMs.length < 5) await setImmediate()
    expect(seen.startedMs).toEqual([0, 10, 20, 30, 40])
  })

  test('keeps the due times of late calls, and catches up', async () => {
    const { result, seen } = loopWith({ count: 30, atATime: 1, workMs: (number) => (number === 0 ? 105 : 0) })
    expect(await result).toMatchObject({ startMs: 5000, count: 30 })
    expect(seen.startedMs[0]).toBe(0)
    // Call 1 was due at 10 and had to wait; from call 12 on each is on time again.
    expect(seen.startedMs[1]).toBeGreaterThanOrEqual(105)
    expect(seen.startedMs[1]).toBeLessThan(120)
    expect(seen.startedMs.slice(15)).toEqual(Array.from({ length: 15 }, (_, index) => (15 + index) * 10))
  })

  test('never has more concurrent calls than allowed', async () => {
    const { result, seen } = loopWith({ count: 10, atATime: 3, workMs: (number) => (number < 7 ? 25 : 0) })
    await result
    expect(seen.mostUnderWay).toBe(3)
    expect(seen.startedMs).toHaveLength(10)
  })

  test('ends early on a signal, and returns how many it started', async () => {
    const { result, seen } = loopWith({ count: 1000, stopAtMs: 45, workMs: () => 0 })
    expect(await result).toMatchObject({ count: 5 })
    expect(seen.startedMs).toEqual([0, 10, 20, 30, 40])
  })

  test('rejects when a call fails', async () => {
    const failing = runOpenLoop({
      perSecond: 1000,
      count: 3,
      atATime: 2,
      now: () => performance.now(),
      pause: () => setImmediate(),
      isStopped: () => false,
      start: (number) => (number === 1 ? Promise.reject(new Error('no database')) : Promise.resolve()),
    })
    await expect(failing).rejects.toThrow('no database')
  })
})
