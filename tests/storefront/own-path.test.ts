import { expect, test } from 'vitest'
import { ownPath } from '../../apps/storefront/src/server/own-path.ts'

test.each(['/', '/account/orders?page=2', '/product/wool-sock#reviews'])('%s is a page of the storefront', (path) => {
  expect(ownPath(path)).toBe(path)
})

test.each([
  '',
  null,
  'account',
  'https://other.example',
  '//other.example',
  '/\\other.example',
  '/\t/other.example',
  '/.//other.example',
  '/account/..//other.example',
  'javascript:alert(1)',
])('%s is no page of the storefront', (address) => {
  expect(ownPath(address)).toBeUndefined()
})
