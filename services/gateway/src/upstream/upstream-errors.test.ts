import { expect, test } from 'vitest'
import { bodyTooLarge } from '../errors.ts'
import { errorName, upstreamError } from './upstream-errors.ts'

function fault(code: string, cause?: Error): Error {
  return Object.assign(new Error(code, cause ? { cause } : {}), { code })
}

test.each([
  ['ECONNREFUSED', 503],
  ['UND_ERR_SOCKET', 503],
  ['UND_ERR_HEADERS_TIMEOUT', 504],
  ['UND_ERR_BODY_TIMEOUT', 504],
  ['HPE_INVALID_CONSTANT', 502],
  ['', 502],
])('%s results in %i', (code, status) => {
  expect(upstreamError(fault(code), 'cart').status).toBe(status)
})

test('the cause decides when a library wraps it in its own error', () => {
  const wrapped = fault('FST_REPLY_FROM_INTERNAL_SERVER_ERROR', fault('ECONNREFUSED'))
  expect(upstreamError(wrapped, 'cart').status).toBe(503)
  expect(errorName(wrapped)).toBe('ECONNREFUSED')
})

test('an HttpError that was thrown while the body was read becomes the response', () => {
  expect(upstreamError(new Error('aborted', { cause: bodyTooLarge() }), 'cart').status).toBe(413)
})
