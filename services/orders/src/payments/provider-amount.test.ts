import { describe, expect, test } from 'vitest'
import { fromProviderAmount, toProviderAmount } from './provider-amount.ts'
import { ProviderRejection } from './provider.ts'

const units = { provider: 'pay', zeroDecimal: new Set(['JPY', 'USD']) }
const amounts = Array.from({ length: 3000 }, (_, index) => index + 1)

// Every amount, because a factor of 0.01 is exact for some of them only.
describe.each([
  { what: 'a currency with the same decimals at the provider', currency: 'EUR', factor: 1 },
  { what: 'a currency without decimals, here and at the provider', currency: 'JPY', factor: 1 },
  { what: 'a currency that has decimals at the provider only', currency: 'ISK', factor: 100 },
])('$what', ({ currency, factor }) => {
  test('is sent and read as the same money', () => {
    const theirs = amounts.map((amount) => toProviderAmount({ amount, currency }, units))
    expect(theirs).toEqual(amounts.map((amount) => amount * factor))
    expect(theirs.map((amount) => fromProviderAmount(amount, currency.toLowerCase(), units))).toEqual(
      amounts.map((amount) => ({ amount, currency })),
    )
  })
})

describe('a currency that has decimals in the shop only', () => {
  test('is sent in whole units, and read as the same money', () => {
    const theirs = amounts.map((amount) => toProviderAmount({ amount: amount * 100, currency: 'USD' }, units))
    expect(theirs).toEqual(amounts)
    expect(theirs.map((amount) => fromProviderAmount(amount, 'USD', units).amount)).toEqual(
      amounts.map((amount) => amount * 100),
    )
  })

  test('is rejected when a part of a unit would remain unpaid', () => {
    expect(() => toProviderAmount({ amount: 150, currency: 'USD' }, units)).toThrow(
      new ProviderRejection('pay', 'amount cannot be expressed in USD'),
    )
  })
})

describe('a currency with three decimals', () => {
  test('is sent and read as the same money when the last digit is 0', () => {
    const theirs = amounts.map((amount) => toProviderAmount({ amount: amount * 10, currency: 'KWD' }, units))
    expect(theirs.map((amount) => fromProviderAmount(amount, 'kwd', units))).toEqual(
      amounts.map((amount) => ({ amount: amount * 10, currency: 'KWD' })),
    )
  })

  test('is rejected with another last digit, which no provider takes', () => {
    expect(() => toProviderAmount({ amount: 5124, currency: 'KWD' }, units)).toThrow(
      new ProviderRejection('pay', 'amount cannot be expressed in KWD'),
    )
  })
})

test('a fraction of our smallest unit that a provider reports is rounded', () => {
  expect(fromProviderAmount(5749, 'ISK', units)).toEqual({ amount: 57, currency: 'ISK' })
  expect(fromProviderAmount(5750, 'ISK', units)).toEqual({ amount: 58, currency: 'ISK' })
})
