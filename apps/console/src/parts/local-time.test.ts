import { expect, test } from 'vitest'
import { isDay, startOfDay } from './local-time.ts'

test('the start of a day is known for each text that counts as a day', () => {
  const texts = ['2026-01-31', '2024-02-29', '20266-01-01', '0202-01-01', '2026-13-01', '2026-1-1', '', undefined]
  const days = texts.filter(isDay)
  expect(days).toEqual(['2026-01-31', '2024-02-29'])
  expect(days.map((day) => new Date(startOfDay(day)).getHours())).toEqual([0, 0])
  expect(days.map((day) => new Date(startOfDay(day, 1)).getDate())).toEqual([1, 1])
})
