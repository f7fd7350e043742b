import { expect, test } from 'vitest'
import { shownPath } from './access-log.ts'

test('a line of the log shows a path without what opens doors', () => {
  expect(shownPath('/products/cart_0123', true)).toBe('/products/cart_0123')
  expect(shownPath('/carts/cart_0123/lines', false)).toBe('/carts/cart_…/lines')
  expect(shownPath('/payments/demo/demo_cs_0123/pay', false)).toBe('/payments/demo/demo_cs_…/pay')
})

test('a line of the log shows only the beginning of a long path, and of a cart in it nothing', () => {
  expect(shownPath(`/products/${'x'.repeat(100_000)}`, true)).toHaveLength(301)
  expect(shownPath(`/${'x'.repeat(280)}/cart_${'0'.repeat(500)}`, false)).toBe(`/${'x'.repeat(280)}/cart_…`)
})
