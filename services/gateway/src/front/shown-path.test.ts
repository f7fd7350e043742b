import { expect, test } from 'vitest'
import { shownPath } from './shown-path.ts'

test('a log line shows a path without secrets', () => {
  expect(shownPath('/products/cart_0123', true)).toBe('/products/cart_0123')
  expect(shownPath('/carts/cart_0123/lines', false)).toBe('/carts/cart_…/lines')
  expect(shownPath('/payments/demo/demo_cs_0123/pay', false)).toBe('/payments/demo/demo_cs_…/pay')
  expect(shownPath('/pay/link_0-1_2', false)).toBe('/pay/link_…')
})

test("a log line shows only the beginning of a long path, and nothing of a cart's id", () => {
  expect(shownPath(`/products/${'x'.repeat(100_000)}`, true)).toHaveLength(301)
  expect(shownPath(`/${'x'.repeat(280)}/cart_${'0'.repeat(500)}`, false)).toBe(`/${'x'.repeat(280)}/cart_…`)
})
