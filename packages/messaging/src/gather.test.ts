import { describe, expect, test } from 'vitest'
import { gatherMs } from './gather.ts'

describe('a batch of events', () => {
  test('waits for others only for a moment after a pause', () => {
    expect(gatherMs(1, Infinity)).toBe(5)
    expect(gatherMs(15, 60)).toBe(5)
  })

  test('waits for the remaining gap when a transaction has just ended', () => {
    expect(gatherMs(1, 0)).toBe(50)
    expect(gatherMs(15, 30)).toBe(20)
    expect(gatherMs(1, 49)).toBe(5)
  })

  test('does not wait when it is large enough', () => {
    expect(gatherMs(16, 0)).toBe(0)
    expect(gatherMs(256, Infinity)).toBe(0)
  })
})
