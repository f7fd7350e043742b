import { expect, test } from 'vitest'
import { Moment, PeriodEnd } from './moment.ts'

test.each([
  ['2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
  ['2026-02-28', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000Z', undefined],
  ['2026-11-21T08:00:00.5Z', '2026-11-21T08:00:00.500Z', undefined],
  ['2026-11-21T08:00:00.123456Z', '2026-11-21T08:00:00.123Z', undefined],
  ['2026-11-21T00:30:00+02:00', '2026-11-20T22:30:00.000Z', undefined],
])('%s is read as a moment, and a date at the end of a period is its whole day', (text, moment, end = moment) => {
  expect(Moment.parse(text)).toBe(moment)
  expect(PeriodEnd.parse(text)).toBe(end)
})

test.each([
  ['yesterday', 'must be a date such as 2026-11-21 or a timestamp such as 2026-11-21T08:00:00Z, not "yesterday"'],
  ['2025-02-30', 'must be a date such as 2026-11-21 or a timestamp such as 2026-11-21T08:00:00Z, not "2025-02-30"'],
  ['', 'must be a date such as 2026-11-21 or a timestamp such as 2026-11-21T08:00:00Z, not ""'],
  [5, 'must be a date such as 2026-11-21 or a timestamp such as 2026-11-21T08:00:00Z'],
  ['0000-01-01T00:30:00+02:00', 'must be a date between the years 0 and 9999'],
  ['9999-12-31T23:59:59-12:00', 'must be a date between the years 0 and 9999'],
])('%s is rejected with what is expected', (value, message) => {
  expect(Moment.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message])
})

test('the last day of the calendar ends with its last timestamp', () => {
  expect(Moment.parse('9999-12-31')).toBe('9999-12-31T00:00:00.000Z')
  expect(PeriodEnd.parse('9999-12-31')).toBe('9999-12-31T23:59:59.999Z')
})
