import { describe, expect, test } from 'vitest'
import { daysOf, MAX_DAYS, partsOf, periodOf, previousOf } from './period.ts'

const TODAY = '2026-03-01'
const periodFrom = (from: string | undefined, to: string | undefined) => periodOf({ from, to }, TODAY)

describe('a period', () => {
  test('is thirty days up to today by default', () => {
    expect(periodFrom(undefined, undefined)).toEqual({ from: '2026-01-31', to: TODAY })
    expect(periodFrom('2026-02-27', undefined)).toEqual({ from: '2026-02-27', to: TODAY })
    expect(periodFrom(undefined, '2024-03-01')).toEqual({ from: '2024-02-01', to: '2024-03-01' })
  })

  test('follows a previous period of the same length', () => {
    expect(previousOf({ from: TODAY, to: TODAY })).toEqual({ from: '2026-02-28', to: '2026-02-28' })
    expect(previousOf({ from: '2024-03-01', to: '2024-03-31' })).toEqual({ from: '2024-01-30', to: '2024-02-29' })
  })

  test('lists each of its days', () => {
    expect(daysOf({ from: '2024-02-28', to: '2024-03-01' })).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
    expect(daysOf({ from: TODAY, to: TODAY })).toEqual([TODAY])
  })

  test('may have two years, but no day more', () => {
    expect(daysOf(periodFrom('2024-01-01', '2025-12-31'))).toHaveLength(MAX_DAYS)
    expect(() => periodFrom('2024-01-01', '2026-01-01')).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        detail: { issues: [{ path: 'from', message: expect.stringContaining('at most 731 days, not 732') }] },
      }),
    )
  })

  test('cannot end before it begins', () => {
    const messageOf = (message: string) =>
      expect.objectContaining({ code: 'validation_failed', detail: { issues: [{ path: 'to', message }] } })
    expect(() => periodFrom('2026-02-02', '2026-02-01')).toThrow(
      messageOf('must not be before `from`: 2026-02-01 is before 2026-02-02'),
    )
    // Today, when it is left out.
    expect(() => periodFrom('2026-03-02', undefined)).toThrow(
      messageOf('must not be before `from`: 2026-03-01 is before 2026-03-02'),
    )
  })
})

test.each([
  // from, to, and the ranges of days, months and days
  ['2026-01-01', '2026-12-31', '2026-01-01 2026-01-01', '2026-01-01 2027-01-01', '2027-01-01 2027-01-01'],
  ['2025-12-15', '2026-02-14', '2025-12-15 2026-01-01', '2026-01-01 2026-02-01', '2026-02-01 2026-02-15'],
  ['2026-01-31', '2026-02-28', '2026-01-31 2026-02-01', '2026-02-01 2026-03-01', '2026-03-01 2026-03-01'],
  ['2024-02-01', '2024-02-28', '2024-02-01 2024-02-29', '2024-02-29 2024-02-29', '2024-02-29 2024-02-29'],
  ['2026-01-02', '2026-02-27', '2026-01-02 2026-02-28', '2026-02-28 2026-02-28', '2026-02-28 2026-02-28'],
  ['2026-05-31', '2026-05-31', '2026-05-31 2026-06-01', '2026-06-01 2026-06-01', '2026-06-01 2026-06-01'],
])('the period from %s to %s has the days %s, the months %s and the days %s', (from, to, head, months, tail) => {
  const parts = partsOf({ from, to })
  const texts = [parts.head, parts.months, parts.tail].map((range) => `${range.from} ${range.before}`)
  expect(texts).toEqual([head, months, tail])
})
