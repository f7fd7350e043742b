import { describe, expect, test } from 'vitest'
import { amountOf, isFullyRefunded, paymentStatusOf, retryDelayMs } from './refund.ts'

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

test.each([
  { paid: 100, refunded: 100, total: 100, full: true, what: 'everything' },
  { paid: 100, refunded: 99, total: 100, full: false, what: 'a part' },
  { paid: 100, refunded: 0, total: 100, full: false, what: 'nothing' },
  { paid: 0, refunded: 0, total: 0, full: false, what: 'nothing of an order that costs nothing' },
  { paid: 130, refunded: 100, total: 100, full: true, what: 'the total of an order that was overpaid' },
  { paid: 80, refunded: 80, total: 100, full: true, what: 'all that was paid of an order that was underpaid' },
  { paid: 80, refunded: 79, total: 100, full: false, what: 'a part of what was paid of an order that was underpaid' },
  { paid: 250, refunded: 150, total: 100, full: false, what: 'only what was paid beyond the total' },
  { paid: 250, refunded: 250, total: 100, full: true, what: 'everything of an order that was overpaid' },
])('a buyer who got $what back is fully refunded: $full', ({ paid, refunded, total, full }) => {
  const document = { total: { amount: total, currency: 'EUR' } }
  expect(isFullyRefunded({ capturedMinor: paid, refundedMinor: refunded, document }, 'EUR')).toBe(full)
})

test('a payment in another currency than the order is fully refunded with all of it', () => {
  const document = { total: { amount: 8920, currency: 'USD' } }
  const isFull = (refundedMinor: number) => isFullyRefunded({ capturedMinor: 740_000, refundedMinor, document }, 'INR')
  expect([10_000, 739_999, 740_000].map(isFull)).toEqual([false, false, true])
})

test('the pauses between attempts grow to an hour', () => {
  expect([1, 2, 3, 10, 11, 2000].map((attempts) => retryDelayMs(attempts) / 1000)).toEqual([
    5, 10, 20, 2560, 3600, 3600,
  ])
})
