import { expect, test } from 'vitest'
import { HttpError, waitInWords } from './http-error.ts'

test('a 503 says when to try again, even if its error sets no time', () => {
  expect(new HttpError('service_unavailable', 'Please try again.').retryAfterSeconds).toBe(30)
  expect(new HttpError('service_unavailable', 'Please try again.', { retryAfterSeconds: 1 }).retryAfterSeconds).toBe(1)
  expect(new HttpError('not_found', 'There is no such page.').retryAfterSeconds).toBeUndefined()
})

test.each([
  [1, '1 second'],
  [40, '40 seconds'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [900, '15 minutes'],
  [901, '16 minutes'],
  [3600, '60 minutes'],
  [5400, '90 minutes'],
  [5401, '2 hours'],
  [86_400, '24 hours'],
])('a wait of %i seconds is written as %s', (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words)
})
