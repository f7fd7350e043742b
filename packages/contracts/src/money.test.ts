import { assert, constant, constantFrom, nat, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minorUnitDigits } from './currency.ts'
import { decimalAmount, formatMoney, money, Money, portionOf, sameMoney } from './money.ts'

const anyAmount = nat({ max: Number.MAX_SAFE_INTEGER })
const anyPer = constantFrom(100, 1000, 10_000, 10_800, 110_000)

/** Rounds half up on integers of any size, which is the definition that the fast path must match. */
function exactPortion(amount: number, rate: number, per: number): bigint {
  const product = BigInt(amount) * BigInt(rate)
  const whole = product / BigInt(per)
  return (product % BigInt(per)) * 2n >= BigInt(per) ? whole + 1n : whole
}

describe('a portion', () => {
  test.each([
    [30_240, 800, 10_000, 2419], // 2419.2
    [33_600, 10, 100, 3360],
    [50, 1, 100, 1], // exactly half goes up
    [49, 1, 100, 0],
    [150, 1, 100, 2],
    [199, 825, 10_000, 16], // 16.4175
    [0, 800, 10_000, 0],
    [999, 0, 10_000, 0],
    [1, 10_000, 10_000, 1],
  ])('of %i at %i of %i is %i', (amount, rate, per, portion) => {
    expect(portionOf(amount, rate, per)).toBe(portion)
  })

  test('is rounded half up and exact, however large the amount', () => {
    assert(
      property(
        anyPer.chain((per) => tuple(anyAmount, nat({ max: per }), constant(per))),
        ([amount, rate, per]) => {
          expect(BigInt(portionOf(amount, rate, per))).toBe(exactPortion(amount, rate, per))
        },
      ),
      {
        numRuns: 2000,
        examples: [
          [[Math.floor(2 ** 51 / 100), 100, 10_000]],
          [[Math.ceil(2 ** 51 / 100), 100, 10_000]],
          [[Number.MAX_SAFE_INTEGER, 10_000, 10_000]],
        ],
      },
    )
  })

  test('never exceeds the whole, and grows with the amount', () => {
    assert(
      property(
        anyPer.chain((per) => tuple(anyAmount, anyAmount, nat({ max: per }), constant(per))),
        ([one, other, rate, per]) => {
          const [less, more] = one < other ? [one, other] : [other, one]
          expect(portionOf(less, rate, per)).toBeLessThanOrEqual(portionOf(more, rate, per))
          expect(portionOf(more, rate, per)).toBeLessThanOrEqual(more)
        },
      ),
    )
  })
})

describe('an amount of money', () => {
  test.each([-1, 0.5, 19.99, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])(
    'is never %d',
    (amount) => {
      expect(() => money(amount, 'USD')).toThrow(RangeError)
      expect(Money.safeParse({ amount, currency: 'USD' }).success).toBe(false)
    },
  )

  test.each([
    ['a formatted text', '$19.99'],
    ['a bare number', 1999],
    ['text as amount', { amount: '1999', currency: 'USD' }],
    ['no currency', { amount: 1999 }],
    ['a lower-case currency', { amount: 1999, currency: 'usd' }],
    ['a currency by its sign', { amount: 1999, currency: '$' }],
    ['null', null],
  ])('is not %s', (_what, value) => {
    expect(Money.safeParse(value).success).toBe(false)
  })

  test('survives a round trip through JSON', () => {
    assert(
      property(anyAmount, constantFrom('USD', 'JPY', 'KWD'), (amount, currency) => {
        expect(Money.parse(JSON.parse(JSON.stringify(money(amount, currency))))).toEqual({ amount, currency })
      }),
    )
  })

  test('equals only an amount in the same currency, and null equals only null', () => {
    expect(sameMoney(money(1, 'USD'), money(1, 'USD'))).toBe(true)
    expect(sameMoney(money(1, 'USD'), money(1, 'EUR'))).toBe(false)
    expect(sameMoney(money(1, 'USD'), money(2, 'USD'))).toBe(false)
    expect(sameMoney(null, money(0, 'USD'))).toBe(false)
    expect(sameMoney(money(0, 'USD'), null)).toBe(false)
    expect(sameMoney(null, null)).toBe(true)
  })
})

describe('an amount shown to a person', () => {
  const NARROW_SPACE = /[\u00a0\u202f]/g

  test.each([
    [33_600, 'USD', 'en-US', '$336.00'],
    [5, 'USD', 'en-US', '$0.05'],
    [0, 'USD', 'en-US', '$0.00'],
    [1_234_567, 'EUR', 'de-DE', '12.345,67 €'],
    [12_000, 'JPY', 'en-US', '¥12,000'],
    [12_000, 'KRW', 'en-US', '₩12,000'],
    [12_000, 'VND', 'en-US', '₫12,000'],
    [12_000, 'CLP', 'en-US', 'CLP 12,000'],
    [12_000, 'ISK', 'en-US', 'ISK 12,000'],
    [1234, 'KWD', 'en-US', 'KWD 1.234'],
    [12_000, 'BHD', 'en-US', 'BHD 12.000'],
  ])('%i of %s in %s reads %s', (amount, currency, locale, text) => {
    expect(formatMoney(money(amount, currency), locale).replaceAll(NARROW_SPACE, ' ')).toBe(text)
  })

  test.each([
    [33_600, 'USD', '336.00'],
    [5, 'USD', '0.05'],
    [0, 'EUR', '0.00'],
    [12_000, 'JPY', '12000'],
    [7, 'KWD', '0.007'],
    [Number.MAX_SAFE_INTEGER, 'USD', '90071992547409.91'],
  ])('%i of %s is %s in a table', (amount, currency, text) => {
    expect(decimalAmount(money(amount, currency))).toBe(text)
  })

  test('has the digits of its currency', () => {
    expect(['JPY', 'KRW', 'VND', 'CLP', 'ISK'].map(minorUnitDigits)).toEqual([0, 0, 0, 0, 0])
    expect(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map(minorUnitDigits)).toEqual([3, 3, 3, 3, 3, 3, 3])
    expect(['USD', 'EUR', 'INR', 'XAF', 'XOF', 'PYG'].map(minorUnitDigits)).toEqual([2, 2, 2, 2, 2, 2])
  })
})
