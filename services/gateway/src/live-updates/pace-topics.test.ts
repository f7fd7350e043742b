import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { paceTopics } from './pace-topics.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a topic is passed on at once, then at most once in its pause, and the last change is not lost', () => {
  const sent: string[] = []
  const pacer = paceTopics((topic) => sent.push(topic), 1000)
  for (let round = 0; round < 10; round++) pacer.changed('orders')
  pacer.changed('stock')
  expect(sent).toEqual(['orders', 'stock'])
  expect(pacer.recent()).toEqual(['orders', 'stock'])
  vi.advanceTimersByTime(999)
  expect(sent).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(sent).toEqual(['orders', 'stock', 'orders'])
  // Nothing has changed since.
  vi.advanceTimersByTime(10_000)
  expect(sent).toHaveLength(3)
  expect(pacer.recent()).toEqual([])
  pacer.changed('orders')
  expect(sent).toHaveLength(4)
  pacer.stop()
})
