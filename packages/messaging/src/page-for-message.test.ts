import { expect, test } from 'vitest'
import { pageForMessage } from './page-for-message.ts'

const options = {
  limit: 4,
  recordOf: (row: string) => ({ row }),
  nextOf: (row: string) => `after ${row}`,
  maxBytes: 30,
}
const page = (...rows: string[]) => pageForMessage(rows, options)

test('a page holds the rows that fit, and names where the next page begins', () => {
  expect(page('a', 'b')).toEqual({ records: [{ row: 'a' }, { row: 'b' }] })
  expect(page('a', 'b', 'c')).toEqual({ records: [{ row: 'a' }, { row: 'b' }], next: 'after b' })
})

test('a record that is larger than a page has a page of its own', () => {
  const long = 'x'.repeat(100)
  expect(page(long)).toEqual({ records: [{ row: long }] })
  expect(page(long, 'b')).toEqual({ records: [{ row: long }], next: `after ${long}` })
  expect(page('a', long)).toEqual({ records: [{ row: 'a' }], next: 'after a' })
})

test('a full batch of rows names a next page, and a batch that is not full does not', () => {
  const all = { ...options, maxBytes: 1000 }
  expect(pageForMessage(['a', 'b', 'c', 'd'], all).next).toBe('after d')
  expect(pageForMessage(['a', 'b', 'c'], all).next).toBeUndefined()
  expect(page()).toEqual({ records: [] })
})
