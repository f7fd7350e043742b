import { expect, test } from 'vitest'
import { percentile } from './percentile.ts'

test('a percentile is one of the numbers, and zero when there are none', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  expect([0, 0.5, 0.99, 1].map((part) => percentile(hundred, part))).toEqual([1, 50, 99, 100])
  expect(percentile([7], 0.99)).toBe(7)
  expect(percentile([], 0.5)).toBe(0)
})
