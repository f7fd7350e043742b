import { expect, test } from 'vitest'
import { taxOf } from './tax-of-order.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })

/** Goods of 100 dollars with a discount of 20, and shipping of 5. */
const documentOf = (tax: number, total: number, taxTerms?: Parameters<typeof taxOf>[0]['taxTerms']) => ({
  lines: [],
  subtotal: usd(10_000),
  discount: usd(2000),
  shipping: usd(500),
  tax: usd(tax),
  total: usd(total),
  taxTerms,
  shippingAddress: { name: '', line1: '', line2: '', city: '', region: '', postalCode: '', country: '', phone: '' },
  shippingMethod: '',
  locale: 'en-US',
})

test.each([
  ['that is added is on the goods', { rate: 1000, isIncluded: false, onShipping: false }, 800, 9300, 8000],
  ['that is added is on shipping too', { rate: 1000, isIncluded: false, onShipping: true }, 850, 9350, 8500],
  [
    'that prices include is not part of its base',
    { rate: 2000, isIncluded: true, onShipping: false },
    1333,
    8500,
    6667,
  ],
  ['that all prices include', { rate: 2000, isIncluded: true, onShipping: true }, 1417, 8500, 7083],
])('a tax %s', (_what, terms, tax, total, net) => {
  expect(taxOf(documentOf(tax, total, terms))).toEqual({
    rate: terms.rate,
    net: usd(net),
    isIncluded: terms.isIncluded,
  })
})

test('a tax without known terms is included when the total has no room for it', () => {
  expect(taxOf(documentOf(800, 9300))).toMatchObject({ rate: undefined, isIncluded: false })
  expect(taxOf(documentOf(800, 8500))).toMatchObject({ rate: undefined, isIncluded: true })
  expect(taxOf(documentOf(0, 8500))).toMatchObject({ rate: undefined, isIncluded: false })
})
