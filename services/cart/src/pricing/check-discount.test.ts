import { describe, expect, test } from 'vitest'
import type { PriceEntry } from '@storefront/contracts'
import { priceSettings } from '@storefront/tools/testing'
import type { CartDiscount } from '../discounts/discount.ts'
import { faultOfDiscount } from './check-discount.ts'

const NOW = new Date('2026-06-15T12:00:00.000Z')
const usd = (amount: number) => ({ amount, currency: 'USD' })
const image = { url: '/shirt.svg', alt: 'A shirt' }
const settings = priceSettings()

const discount = (change: Partial<CartDiscount>): CartDiscount => ({
  id: 1,
  code: 'SAVE',
  kind: 'percent',
  value: 10,
  label: null,
  active: true,
  startsAt: null,
  endsAt: null,
  minSubtotal: null,
  usageLimit: null,
  perCustomerLimit: null,
  categories: null,
  products: null,
  used: 0,
  usedByOthers: 0,
  usedByCustomer: 0,
  ...change,
})

const facts = { productId: 'prod_1', productSlug: 'shirt', title: 'Shirt', options: {}, image, price: usd(4000) }
const shelf = (published = true): ReadonlyMap<string, PriceEntry> =>
  new Map(
    ['var_a', 'var_b'].map((variantId) => [
      variantId,
      {
        variantId,
        facts: { ...facts, categories: ['shirts'], published: variantId === 'var_b' || published },
        factsVersion: 1,
        inventory: 1,
        stockVersion: 1,
      },
    ]),
  )
const line = (variantId: string) => ({ id: `line_${variantId}`, variantId, quantity: 1, remembered: facts })

const faultOf = (change: Partial<CartDiscount>, { variants = ['var_a', 'var_b'], published = true } = {}) =>
  faultOfDiscount(discount(change), { lines: variants.map(line), entries: shelf(published), settings }, NOW)

describe('a discount code is valid', () => {
  test.each<[string, Partial<CartDiscount>]>([
    ['without any condition', {}],
    ['from its first moment on', { startsAt: '2026-06-15T12:00:00+00:00' }],
    ['until the moment before its end', { endsAt: '2026-06-15T12:00:00.001+00:00' }],
    ['in whatever offset its times are written', { endsAt: '2026-06-15T14:00:00.001+02:00' }],
    ['from its minimum on', { minSubtotal: 8000 }],
    ['for the last of its redemptions', { usageLimit: 3, usedByOthers: 2 }],
    ['for the last redemption of a customer', { perCustomerLimit: 2, usedByCustomer: 1 }],
    ['when it is for one of the items', { products: ['shirt'] }],
  ])('%s', (_when, change) => expect(faultOf(change)).toBeUndefined())
})

describe('a discount code is rejected', () => {
  test.each<[string, Partial<CartDiscount>, string, string]>([
    [
      'when it is switched off, with the message for an unknown code',
      { active: false },
      'unknown',
      'This discount code does not exist. Please check its spelling.',
    ],
    [
      'before it starts, with the same message',
      { startsAt: '2026-06-15T12:00:00.001Z' },
      'unknown',
      'This discount code does not exist. Please check its spelling.',
    ],
    ['from its end on', { endsAt: '2026-06-15T12:00:00Z' }, 'expired', 'This discount code has expired.'],
    ['when it is used up', { usageLimit: 3, usedByOthers: 3 }, 'used_up', 'This discount code has been used up.'],
    [
      'when the customer has used it before',
      { perCustomerLimit: 1, usedByCustomer: 1 },
      'used_before',
      'You have already used this discount code.',
    ],
    [
      'below its minimum, with the amount',
      { minSubtotal: 8001 },
      'below_minimum',
      'This discount code needs an order of $80.01 or more.',
    ],
    [
      'when it applies to nothing in the cart',
      { categories: ['hats'] },
      'nothing_eligible',
      'This discount code does not apply to any item in your cart.',
    ],
  ])('%s', (_which, change, reason, message) => expect(faultOf(change)).toEqual({ reason, message }))

  test('when it does not exist', () => {
    const cart = { lines: [line('var_a')], entries: shelf(), settings }
    expect(faultOfDiscount(null, cart, NOW)?.reason).toBe('unknown')
  })

  test('when the products that it needs were withdrawn', () => {
    const left = { variants: ['var_a'], published: false }
    expect(faultOf({ minSubtotal: 4001 }, { published: false })?.reason).toBe('below_minimum')
    expect(faultOf({ products: ['shirt'] }, left)?.reason).toBe('nothing_eligible')
    expect(faultOf({}, left)).toBeUndefined()
  })

  test('on an empty cart only if it needs products or a minimum', () => {
    expect(faultOf({ categories: ['shirts'] }, { variants: [] })?.reason).toBe('nothing_eligible')
    expect(faultOf({ minSubtotal: 1 }, { variants: [] })?.reason).toBe('below_minimum')
    expect(faultOf({}, { variants: [] })).toBeUndefined()
  })
})
