import { describe, expect, test } from 'vitest'
import { isOpen, isWithinLimits } from './confirmation.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const MINUTE_MS = 60_000

describe('limits of mails', () => {
  const limits = [
    { atMost: 1, withinMs: MINUTE_MS },
    { atMost: 5, withinMs: 60 * MINUTE_MS },
  ]

  test('allow the first mail, and the next one after a minute', () => {
    expect(isWithinLimits(limits, [], NOW)).toBe(true)
    expect(isWithinLimits(limits, [ago(MINUTE_MS - 1)], NOW)).toBe(false)
    expect(isWithinLimits(limits, [ago(MINUTE_MS)], NOW)).toBe(true)
  })

  test('apply per hour as well, and ignore older mails', () => {
    const five = [5, 10, 20, 30, 59].map((minutes) => ago(minutes * MINUTE_MS))
    expect(isWithinLimits(limits, five, NOW)).toBe(false)
    expect(isWithinLimits(limits, [...five.slice(0, 4), ago(60 * MINUTE_MS)], NOW)).toBe(true)
  })
})

test('a confirmation is open until it is used or has expired', () => {
  const confirmation = {
    id: 'conf_1',
    purpose: 'newsletter' as const,
    customer_id: null,
    email: 'a@mail.example',
    email_canonical: 'a@mail.example',
    expires_at: NOW,
    used_at: null,
  }
  expect(isOpen(confirmation, ago(1))).toBe(true)
  expect(isOpen(confirmation, NOW)).toBe(false)
  expect(isOpen({ ...confirmation, used_at: ago(2) }, ago(1))).toBe(false)
})
