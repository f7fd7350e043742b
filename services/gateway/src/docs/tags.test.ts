import { expect, test } from 'vitest'
import { tagOf } from './tags.ts'

test('a path has the tag of the longest path that covers it', () => {
  expect(tagOf('/admin/products/{id}/variants')).toBe('Admin: catalog')
  expect(tagOf('/admin/auth/audit')).toBe('Admin: users')
  expect(tagOf('/carts/{id}/checkout')).toBe('Checkout')
})

test('a path without a line has no tag, not even under /admin', () => {
  for (const path of ['/wishlists', '/admin/wishlists', '/admin/productsets']) expect(tagOf(path), path).toBeUndefined()
})
