import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callAfterIdle } from './call-after-idle.ts'

const NOW = 1000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // It stands still, as if timers were early.
  vi.spyOn(performance, 'now').mockReturnValue(NOW)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each([
  ['at once when no event has ever arrived', -Infinity, 0],
  ['at once when the last event arrived long ago', NOW - 5000, 0],
  ['a tenth of a second after the last event, also when the timer is early', NOW - 40, 60],
])('an idle consumer is reported %s', (_when, arrivedMs, expectedMs) => {
  const callback = vi.fn<() => void>()
  callAfterIdle(() => arrivedMs, callback)
  if (expectedMs > 0) vi.advanceTimersByTime(expectedMs - 1)
  expect(callback).toHaveBeenCalledTimes(0)
  vi.advanceTimersByTime(2)
  expect(callback).toHaveBeenCalledTimes(1)
})

test('a consumer that gets an event meanwhile is not idle', () => {
  const callback = vi.fn<() => void>()
  let arrivedMs = NOW - 40
  callAfterIdle(() => arrivedMs, callback)
  vi.advanceTimersByTime(30)
  arrivedMs = NOW
  vi.advanceTimersByTime(10_000)
  expect(callback).not.toHaveBeenCalled()
})
