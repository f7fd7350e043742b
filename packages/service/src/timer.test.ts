import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from './log.ts'
import { every } from './timer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('timers that start together do not run in step', async () => {
  const log = createLog({ service: 'test', level: 'silent' })
  const begunMs = performance.now()
  const afterMs: number[] = []
  const timers = Array.from({ length: 10 }, (_, nth) =>
    every(1000, `timer ${nth}`, log, async () => void afterMs.push(performance.now() - begunMs)),
  )
  await vi.advanceTimersByTimeAsync(1260)
  await Promise.all(timers.map((timer) => timer.stop()))

  expect(afterMs).toHaveLength(10)
  expect(Math.min(...afterMs)).toBeGreaterThanOrEqual(1000)
  expect(new Set(afterMs.map(Math.round)).size).toBeGreaterThan(3)
})

test('a timer whose work fails continues, and logs the failure once', async () => {
  const lines: unknown[] = []
  const log = createLog({ service: 'test', level: 'error' })
  vi.spyOn(log, 'error').mockImplementation((facts: unknown) => void lines.push(facts))
  let runs = 0
  const timer = every(200, 'beat', log, async () => {
    runs++
    throw new Error('the database is away')
  })
  await vi.advanceTimersByTimeAsync(10_000)
  await timer.stop()
  expect(runs).toBeGreaterThan(40)
  expect(lines).toMatchObject([{ timer: 'beat', failures: 1, err: { message: 'the database is away' } }])
})
