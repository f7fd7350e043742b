import { expect, test } from 'vitest'
import { paidForLines } from './paid-for-lines.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })
const terms = { rate: 800, isIncluded: false, onShipping: false }
const included = { ...terms, isIncluded: true }

test.each([
  ['the tax of the goods is added', { total: 9720 + 500, taxTerms: terms }, 9720],
  ['the tax on shipping is not part of it', { total: 10_260, taxTerms: { ...terms, onShipping: true } }, 9720],
  ['prices that include the tax are what they are', { total: 9500, taxTerms: included }, 9000],
  ['all of the tax belongs to the goods of an order without terms', { total: 10_260 }, 9760],
])('the buyer pays for the lines, without shipping: %s', (_, { total, ...more }, paid) => {
  // 100 for the goods, 10 off, 5 for shipping.
  const amounts = { subtotal: usd(10_000), discount: usd(1000), shipping: usd(500), total: usd(total), ...more }
  expect(paidForLines(amounts)).toEqual(usd(paid))
})

test('the buyer pays nothing for the lines of an order that costs nothing', () => {
  const nothing = { subtotal: usd(4000), discount: usd(4000), shipping: usd(0), total: usd(0) }
  expect(paidForLines({ ...nothing, taxTerms: { ...terms, onShipping: true } })).toEqual(usd(0))
})
