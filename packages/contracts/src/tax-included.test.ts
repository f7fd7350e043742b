import { expect, test } from 'vitest'
import { isTaxIncluded } from './tax-included.ts'

test.each([
  ['that is added is not', 640, 8835, false],
  ['that prices include is', 640, 8195, true],
  ['of zero is not, whatever the settings say', 0, 8195, false],
])('a tax %s included', (_case, tax, total, expected) => {
  const usd = (amount: number) => ({ amount, currency: 'USD' })
  const amounts = { subtotal: usd(8000), discount: usd(500), shipping: usd(695), tax: usd(tax), total: usd(total) }
  expect(isTaxIncluded(amounts)).toBe(expected)
})
