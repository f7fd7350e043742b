import { expect, test } from 'vitest'
import { readAgainAfter } from './read-again-after.ts'

test('what waits is read again soon, and ever less often the longer it takes', () => {
  const now = Date.parse('2026-03-04T12:00:00Z')
  const after = (...begun: string[]) => readAgainAfter(begun, now)
  expect(after('2026-03-04T11:59:58Z')).toBe(3000)
  expect(after('2026-03-04T11:00:00Z')).toBe(360_000)
  expect(after('2026-03-04T11:00:00Z', '2026-03-04T11:59:58Z')).toBe(3000)
  expect(after('2025-03-04T11:00:00Z')).toBe(600_000)
  // The clock of the shop is ahead.
  expect(after('2026-03-04T12:05:00Z')).toBe(3000)
  expect(after()).toBe(false)
})
