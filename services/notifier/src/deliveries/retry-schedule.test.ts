import { DAY_MS } from '@storefront/service'
import { describe, expect, test } from 'vitest'
import { nextAttemptAt, parseRetryAfter } from './retry-schedule.ts'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const pauseMs = (failed: number, retryAfterMs?: number, random = 0) => {
  const next = nextAttemptAt(NOW, failed, retryAfterMs, random)
  return next && next.getTime() - NOW.getTime()
}

describe('the retry schedule', () => {
  test('has nine pauses and then none', () => {
    expect(pauseMs(1)).toBe(5000)
    expect(pauseMs(2)).toBe(300_000)
    expect(pauseMs(9)).toBe(DAY_MS)
    expect(pauseMs(10)).toBeUndefined()
  })

  test('is lengthened by up to a fifth', () => {
    expect(pauseMs(1, undefined, 1)).toBe(6000)
  })

  test('yields to a longer pause that the receiver requests, within a day', () => {
    expect(pauseMs(1, 60_000)).toBe(60_000)
    expect(pauseMs(2, 1000)).toBe(300_000)
    expect(pauseMs(1, 1e12)).toBe(DAY_MS)
  })

  test('reads seconds and dates, and nothing else', () => {
    expect(parseRetryAfter('120', NOW)).toBe(120_000)
    for (const digits of [10, 20, 400]) expect(parseRetryAfter('9'.repeat(digits), NOW)).toBeGreaterThan(DAY_MS)
    expect(parseRetryAfter('Mon, 02 Mar 2026 10:00:30 GMT', NOW)).toBe(30_000)
    expect(parseRetryAfter('Mon, 02 Mar 2026 09:00:00 GMT', NOW)).toBe(0)
    expect(parseRetryAfter('soon', NOW)).toBeUndefined()
    expect(parseRetryAfter(undefined, NOW)).toBeUndefined()
  })
})
