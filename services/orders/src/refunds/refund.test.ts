import { describe, expect, test } from 'vitest'
import { amountOf, paymentStatusOf, retryDelayMs } from './refund.ts'

describe('the amount of a refund', () => {
  const eur = (amount: unknown) => ({ amount, currency: 'EUR' })

  test.each([
    0,
    -1,
    1.5,
    '100',
    null,
    true,
    [1],
    {},
    Number.NaN,
    2 ** 53,
    eur(0),
    eur('1'),
    { amount: 1, currency: 'E' },
  ])('%j is rejected', (requested) => {
    expect(() => amountOf(requested)).toThrow(expect.objectContaining({ code: 'invalid_amount' }))
  })

  test('may be a positive integer, Money, or missing', () => {
    expect(amountOf(1)).toEqual({ amountMinor: 1, currency: undefined })
    expect(amountOf(eur(1))).toEqual({ amountMinor: 1, currency: 'EUR' })
    expect(amountOf(undefined)).toBeUndefined()
  })
})

test('the payment of an order is refunded when its full amount was returned', () => {
  expect([0, 1, 99, 100].map((refunded) => paymentStatusOf(100, refunded))).toEqual([
    'captured',
    'partially_refunded',
    'partially_refunded',
    'refunded',
  ])
})

test('the pauses between attempts grow to an hour', () => {
  expect([1, 2, 3, 10, 11, 2000].map((attempts) => retryDelayMs(attempts) / 1000)).toEqual([
    5, 10, 20, 2560, 3600, 3600,
  ])
})
