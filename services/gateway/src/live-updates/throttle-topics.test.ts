import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttleTopics } from './throttle-topics.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a topic is passed on at once, then at most once per pause, and the last change is not lost', () => {
  const sent: string[] = []
  const throttle = throttleTopics((topic) => sent.push(topic), 1000)
  for (let round = 0; round < 10; round++) throttle.changed('orders')
  throttle.changed('stock')
  expect(sent).toEqual(['orders', 'stock'])
  expect(throttle.recent()).toEqual(['orders', 'stock'])
  vi.advanceTimersByTime(999)
  expect(sent).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(sent).toEqual(['orders', 'stock', 'orders'])
  // Nothing has changed since.
  vi.advanceTimersByTime(10_000)
  expect(sent).toHaveLength(3)
  expect(throttle.recent()).toEqual([])
  throttle.changed('orders')
  expect(sent).toHaveLength(4)
  throttle.stop()
})
