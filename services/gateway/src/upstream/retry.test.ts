import { expect, test } from 'vitest'
import { lossOf, shouldRetry } from './retry.ts'

const read = { idempotent: true, sendable: true, sent: 1, timeLeft: 0.9 }
const write = { ...read, idempotent: false }

test.each([
  ['a write that no replica received goes to another replica', 'not connected', write, true, true],
  ['a write is not retried when the whole service is down', 'not connected', write, false, false],
  ['a write that may have been executed is not retried', 'broken off', write, true, false],
  ['a read is retried', 'broken off', read, true, true],
  ['a read is retried on the only replica, whose connection may just have been old', 'broken off', read, false, true],
  ['a read is not sent to that replica a third time', 'broken off', { ...read, sent: 2 }, false, false],
  ['a request that was sent three times is not retried', 'broken off', { ...read, sent: 3 }, true, false],
  ['a read that one replica rejected goes to another one', 'rejected', read, true, true],
  ['a read that the only replica rejected is not retried', 'rejected', read, false, false],
  ['a write that a replica rejected is not retried, because it may have been executed', 'rejected', write, true, false],
  ['a read that one replica rejected late is not retried', 'rejected', { ...read, timeLeft: 0.4 }, true, false],
  ['a read whose connection ended late is retried', 'broken off', { ...read, timeLeft: 0.4 }, true, true],
  ['a request without time is not retried', 'not connected', { ...read, timeLeft: 0 }, true, false],
  ['a streamed body cannot be retried', 'not connected', { ...write, sendable: false }, true, false],
] as const)('%s', (_name, lost, request, hasOther, expected) => {
  expect(shouldRetry(lost, request, hasOther)).toBe(expected)
})

test('a request that takes too long does not count as lost', () => {
  expect(lossOf(Object.assign(new Error('slow'), { code: 'UND_ERR_HEADERS_TIMEOUT' }))).toBeUndefined()
})
