import { expect, test } from 'vitest'
import { breakOf, goesAgain } from './repeat.ts'

const read = { repeatable: true, sendable: true, sent: 1 }
const write = { ...read, repeatable: false }

test.each([
  ['a write that nobody has seen goes to another copy', 'not connected', write, true, true],
  ['a write is not sent again to a service that is gone as a whole', 'not connected', write, false, false],
  ['a write that may have been done is not done again', 'broken off', write, true, false],
  ['a read goes again', 'broken off', read, true, true],
  ['a read goes again to the only copy, whose connection may just have been old', 'broken off', read, false, true],
  ['a read goes there no second time', 'broken off', { ...read, sent: 2 }, false, false],
  ['what was sent three times is given up', 'broken off', { ...read, sent: 3 }, true, false],
  ['a read that a copy refused goes to another one', 'refused', read, true, true],
  ['a read that the only copy refused does not', 'refused', read, false, false],
  ['a write that a copy refused may have been done', 'refused', write, true, false],
  ['a body that streamed is gone', 'not connected', { ...write, sendable: false }, true, false],
] as const)('%s', (_name, lost, request, hasOther, expected) => {
  expect(goesAgain(lost, request, hasOther)).toBe(expected)
})

test('a service that is slow was not lost', () => {
  expect(breakOf(Object.assign(new Error('slow'), { code: 'UND_ERR_HEADERS_TIMEOUT' }))).toBeUndefined()
})
