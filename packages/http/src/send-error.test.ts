import { expect, test } from 'vitest'
import { toHttpError } from './send-error.ts'

test.each([
  ['40P01', 'a deadlock'],
  ['40001', 'a conflict with another transaction'],
  ['55P03', 'a lock that others hold'],
  ['57014', 'a statement that takes too long'],
  ['57P01', 'a server that shuts down'],
])('the error %s of PostgreSQL, %s, is temporary for the client', (code) => {
  const error = toHttpError(Object.assign(new Error('of PostgreSQL'), { code }))
  expect(error).toMatchObject({ status: 503, code: 'service_unavailable', retryAfterSeconds: 2 })
})

test('another error of PostgreSQL is internal, and its text is not for the client', () => {
  const error = toHttpError(Object.assign(new Error('column "secret" does not exist'), { code: '42703' }))
  expect(error).toMatchObject({ status: 500, code: 'internal_error' })
  expect(error.message).not.toContain('secret')
})
