import { expect, test } from 'vitest'
import { pageOf } from './filters.ts'

test.each([
  ['3', 3],
  [undefined, 1],
  ['', 1],
  ['0', 1],
  ['-2', 1],
  ['abc', 1],
  ['1.5', 1],
  ['9'.repeat(30), 1],
])('the address page=%s shows page %d', (page, shown) => {
  expect(pageOf(page === undefined ? {} : { page })).toBe(shown)
})
