import { expect, test } from 'vitest'
import { isTemporary, readRetryAfter, retryDelayMs } from './retry-delay.ts'

test('the delay range doubles with every attempt, up to five seconds', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map((tries) => retryDelayMs(tries, undefined, 1))).toEqual([
    200, 400, 800, 1600, 3200, 5000, 5000,
  ])
  expect(retryDelayMs(3, undefined, 0)).toBe(0)
})

test('the delay is never shorter than Retry-After', () => {
  expect(retryDelayMs(1, 3000, 0)).toBe(3000)
  expect(retryDelayMs(1, 3000, 0.5)).toBe(3100)
})

test.each([
  ['2', 2000],
  ['0', 0],
  ['Wed, 21 Oct 2026 07:28:10 GMT', undefined],
  ['soon', undefined],
  [null, undefined],
])('Retry-After: %s is read as %s', (header, expected) => {
  expect(readRetryAfter(header)).toBe(expected)
})

test('only temporary errors are retried', () => {
  expect([200, 400, 404, 409, 422, 429, 500, 502, 503, 504].filter(isTemporary)).toEqual([429, 502, 503, 504])
})
