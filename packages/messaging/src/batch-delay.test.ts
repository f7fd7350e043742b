import { describe, expect, test } from 'vitest'
import { batchDelayMs } from './batch-delay.ts'

describe('a batch of events', () => {
  test('waits for others only for a moment after a pause', () => {
    expect(batchDelayMs(1, Infinity)).toBe(5)
    expect(batchDelayMs(15, 60)).toBe(5)
  })

  test('waits for the remaining gap when a transaction has just ended', () => {
    expect(batchDelayMs(1, 0)).toBe(50)
    expect(batchDelayMs(15, 30)).toBe(20)
    expect(batchDelayMs(1, 49)).toBe(5)
  })

  test('does not wait when it is large enough', () => {
    expect(batchDelayMs(16, 0)).toBe(0)
    expect(batchDelayMs(256, Infinity)).toBe(0)
  })
})
