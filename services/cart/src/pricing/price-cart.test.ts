import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  nat,
  oneof,
  option,
  property,
  record,
  shuffledSubarray,
  subarray,
  type Arbitrary,
} from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Cart, CartLine, PriceEntry, PriceSettings } from '@storefront/contracts'
import { priceSettings } from '@storefront/tools/testing'
import type { StoredLine } from '../cart/stored-cart.ts'
import { priceCart, type AppliedDiscount, type PricingInput } from './price-cart.ts'

type Commerce = PriceSettings['commerce']

const usd = (amount: number) => ({ amount, currency: 'USD' })
const image = { url: '/shirt.svg', alt: 'A shirt' }
const STANDARD = { id: 'standard', price: usd(600) }
const EXPRESS = { id: 'express', price: usd(1500) }

const settings = (commerce: Commerce = {}, currency = 'USD') => priceSettings({ commerce, currency })

const entry = (variantId: string, amount: number, change: Partial<PriceEntry['facts']> = {}): PriceEntry => ({
  variantId,
  facts: {
    productId: 'prod_1',
    productSlug: 'shirt',
    title: 'Shirt',
    options: { Size: 'M' },
    image,
    price: usd(amount),
    categories: [],
    published: true,
    ...change,
  },
  factsVersion: 1,
  inventory: 10,
  stockVersion: 1,
})

const code = (change: Partial<AppliedDiscount>): AppliedDiscount => ({
  code: 'SAVE',
  kind: 'percent',
  value: 10,
  label: null,
  categories: null,
  products: null,
  ...change,
})

const line = (variantId: string, quantity: number, rememberedPrice = 100): StoredLine => ({
  id: `line_${variantId}`,
  variantId,
  quantity,
  remembered: { productSlug: 'old', title: 'Old shirt', options: {}, image, price: usd(rememberedPrice) },
})

/** Prices a cart of these lines, one variant each, written as `[price, quantity]`. */
function priced(lines: [price: number, quantity: number][], commerce: Commerce = {}, rest: Partial<PricingInput> = {}) {
  return priceCart({
    lines: lines.map(([, quantity], index) => line(`var_${index}`, quantity)),
    entries: new Map(lines.map(([price], index) => [`var_${index}`, entry(`var_${index}`, price)])),
    settings: settings(commerce),
    ...rest,
  })
}

const amountsOf = ({ subtotal, discount, shipping, tax, total, freeShippingRemaining }: Omit<Cart, 'id'>) => ({
  subtotal: subtotal.amount,
  discount: discount.amount,
  shipping: shipping.amount,
  tax: tax.amount,
  total: total.amount,
  remaining: freeShippingRemaining.amount,
})

describe('a cart without shipping and tax', () => {
  test('costs the sum of its lines, each its current price times its quantity', () => {
    const cart = priced([
      [4000, 2],
      [199, 3],
    ])
    expect(cart.lines.map(({ unitPrice, lineTotal }) => [unitPrice.amount, lineTotal.amount])).toEqual([
      [4000, 8000],
      [199, 597],
    ])
    expect(amountsOf(cart)).toEqual({ subtotal: 8597, discount: 0, shipping: 0, tax: 0, total: 8597, remaining: 0 })
    expect(cart.freeShippingThreshold).toEqual(usd(0))
  })

  test('is free when it is empty, whatever shipping costs', () => {
    const tax = { defaultRate: 800, rates: [], pricesIncludeTax: false, shippingTaxed: true }
    const cart = priced([], { shippingMethods: [STANDARD], freeShippingOver: 5000, tax })
    expect(amountsOf(cart)).toEqual({ subtotal: 0, discount: 0, shipping: 0, tax: 0, total: 0, remaining: 5000 })
  })
})

describe('tax', () => {
  const rules = { defaultRate: 800, rates: [], pricesIncludeTax: false, shippingTaxed: false }

  test('of the demo shop is 2419 on a net of 30240', () => {
    expect(amountsOf(priced([[30_240, 1]], { tax: rules }))).toMatchObject({
      subtotal: 30_240,
      tax: 2419,
      total: 32_659,
    })
  })

  test('is rounded half up once, on the total and not on each line', () => {
    // Three times 0.5 would be 3 if each line were rounded.
    const tax = { ...rules, defaultRate: 5000 }
    const lines: [number, number][] = [
      [1, 1],
      [1, 1],
      [1, 1],
    ]
    expect(priced(lines, { tax }).tax.amount).toBe(2)
    expect(priced([[1, 1]], { tax }).tax.amount).toBe(1)
    expect(priced([[49, 1]], { tax: { ...rules, defaultRate: 100 } }).tax.amount).toBe(0)
  })

  test('leaves shipping out unless it is taxed too', () => {
    const commerce = { shippingMethods: [STANDARD] }
    expect(amountsOf(priced([[10_000, 1]], { ...commerce, tax: rules }))).toMatchObject({ tax: 800, total: 11_400 })
    const tax = { ...rules, shippingTaxed: true }
    expect(amountsOf(priced([[10_000, 1]], { ...commerce, tax }))).toMatchObject({ tax: 848, total: 11_448 })
  })

  test('that prices include is shown and not added', () => {
    const tax = { ...rules, defaultRate: 2500, pricesIncludeTax: true }
    expect(amountsOf(priced([[12_500, 1]], { tax }))).toMatchObject({ tax: 2500, total: 12_500 })
    const shipped = { tax: { ...tax, shippingTaxed: true }, shippingMethods: [{ id: 'a', price: usd(1250) }] }
    expect(amountsOf(priced([[12_500, 1]], shipped))).toMatchObject({ tax: 2750, total: 13_750 })
  })

  test('follows the region, else the country, else the default', () => {
    const commerce = {
      countries: ['US', 'DE'],
      tax: {
        ...rules,
        rates: [
          { country: 'US', region: 'CA', rate: 725 },
          { country: 'US', rate: 500 },
          { country: 'DE', rate: 1900 },
          { country: 'JP', region: '13', rate: 1000 },
        ],
      },
    }
    const taxIn = (destination?: { country: string; region: string }) =>
      priced([[10_000, 1]], commerce, { destination }).tax.amount
    expect(taxIn({ country: 'US', region: 'CA' })).toBe(725)
    expect(taxIn({ country: 'us', region: ' ca ' })).toBe(725)
    for (const region of ['California', 'CALIFORNIA', 'Calif.', 'US-CA', 'State of California']) {
      expect(taxIn({ country: 'US', region })).toBe(725)
    }
    expect(taxIn({ country: 'JP', region: 'Tokyo' })).toBe(1000)
    expect(taxIn({ country: 'US', region: 'NY' })).toBe(500)
    expect(taxIn({ country: 'US', region: '' })).toBe(500)
    expect(taxIn({ country: 'DE', region: 'CA' })).toBe(1900)
    expect(taxIn({ country: 'JP', region: '27' })).toBe(800)
    expect(taxIn({ country: 'FR', region: '' })).toBe(800)
    // Before checkout: the first country served.
    expect(taxIn()).toBe(500)
  })

  test('finds the rate of a region whichever way the merchant wrote it, and of the region around it', () => {
    const taxOf = (region: string, written: string, country = 'US') => {
      const rates = [
        { country, region: written, rate: 725 },
        { country, rate: 500 },
      ]
      const commerce = { tax: { ...rules, rates } }
      return priced([[10_000, 1]], commerce, { destination: { country, region } }).tax.amount
    }
    for (const written of ['CA', 'us-ca', 'California', 'Calif.']) expect(taxOf('CA', written)).toBe(725)
    expect(taxOf('Las Palmas', 'Canarias', 'ES')).toBe(725)
    expect(taxOf('Canarias', 'Las Palmas', 'ES')).toBe(500)
    // Saved before regions were checked.
    expect(taxOf('the moon', 'The Moon')).toBe(725)
    expect(taxOf('', 'The Moon')).toBe(500)
  })

  test('ignores spaces and case in stored regions, and treats a blank region as none', () => {
    const rates = [
      { country: ' us ', region: ' ca ', rate: 725 },
      { country: 'Us', region: '  ', rate: 500 },
    ]
    const taxIn = (region: string) =>
      priced([[10_000, 1]], { tax: { ...rules, rates } }, { destination: { country: ' us', region } }).tax.amount
    expect([taxIn('CA'), taxIn('NY'), taxIn('')]).toEqual([725, 500, 500])
  })

  test('reads countries that are stored as objects', () => {
    const tax = { ...rules, rates: [{ country: 'DE', rate: 1900 }] }
    expect(priced([[100, 1]], { countries: [{ code: 'de' }], tax }).tax.amount).toBe(19)
  })
})

describe('shipping', () => {
  const commerce = { shippingMethods: [STANDARD, EXPRESS], freeShippingOver: 10_000 }
  const shippingOf = (price: number, method?: typeof STANDARD) =>
    priced([[price, 1]], commerce, { shippingMethod: method }).shipping.amount

  test('costs the first method until another is chosen', () => {
    expect([shippingOf(9999), shippingOf(9999, STANDARD), shippingOf(9999, EXPRESS)]).toEqual([600, 600, 1500])
  })

  test('is free from the threshold on, and a more expensive method costs the difference', () => {
    expect([shippingOf(10_000), shippingOf(10_000, STANDARD), shippingOf(10_000, EXPRESS)]).toEqual([0, 0, 900])
  })

  test('never becomes negative when the chosen method is cheaper than the first', () => {
    const methods = { shippingMethods: [EXPRESS, STANDARD], freeShippingOver: 0 }
    expect(priced([[1, 1]], methods, { shippingMethod: STANDARD }).shipping.amount).toBe(0)
  })

  test('reports how much is missing for free shipping, and nothing where there is no threshold', () => {
    const remaining = (price: number, over?: number | null) =>
      priced([[price, 1]], { shippingMethods: [STANDARD], freeShippingOver: over }).freeShippingRemaining.amount
    expect([remaining(9999, 10_000), remaining(10_000, 10_000), remaining(20_000, 10_000)]).toEqual([1, 0, 0])
    expect([remaining(1), remaining(1, null), remaining(1, 0)]).toEqual([0, 0, 0])
  })

  test('costs nothing where the shop has no method', () => {
    expect(priced([[100, 1]], {}).shipping.amount).toBe(0)
  })
})

describe('a discount', () => {
  const three: [number, number][] = [
    [1000, 1],
    [333, 2],
    [5, 1],
  ]
  const off = (discount: Partial<AppliedDiscount>, lines = three) =>
    priced(lines, {}, { discount: code(discount) }).discount.amount

  test('of the demo shop takes 3360 off 33600, and the tax is on what is left', () => {
    const tax = { defaultRate: 800, rates: [], pricesIncludeTax: false, shippingTaxed: false }
    const commerce = { tax, shippingMethods: [STANDARD, EXPRESS], freeShippingOver: 15_000 }
    const cart = priced([[16_800, 2]], commerce, { discount: code({ label: '10% off your first order' }) })
    expect(amountsOf(cart)).toEqual({
      subtotal: 33_600,
      discount: 3360,
      shipping: 0,
      tax: 2419,
      total: 32_659,
      remaining: 0,
    })
    expect(cart.discountCode).toEqual({ code: 'SAVE', label: '10% off your first order' })
  })

  test('of a percentage is rounded half up once, on the total and not on each line', () => {
    const ones: [number, number][] = [
      [5, 1],
      [5, 1],
      [5, 1],
    ]
    // Three times 0.5 would be 3 if each line were rounded.
    expect(off({ value: 10 }, ones)).toBe(2)
    expect(off({ value: 10 }, [[4, 1]])).toBe(0)
    expect([off({ value: 100 }), off({ value: 1 })]).toEqual([1671, 17])
  })

  test('of an amount takes off no more than the subtotal', () => {
    expect(off({ kind: 'fixed', value: 1670 })).toBe(1670)
    expect(off({ kind: 'fixed', value: 5000 })).toBe(1671)
  })

  test('applies only to its products, by slug or id, or its categories', () => {
    const lines = ['a', 'b', 'c'].map((each) => line(each, 1))
    const entries = new Map([
      ['a', entry('a', 1000, { productId: 'prod_a', productSlug: 'shirt-a', categories: ['shirts', 'men'] })],
      ['b', entry('b', 500, { productId: 'prod_b', productSlug: 'coat-b', categories: ['coats'] })],
      ['c', entry('c', 70, { productId: 'prod_c', productSlug: 'sock-c', categories: [], published: false })],
    ])
    const takenOff = (change: Partial<AppliedDiscount>) =>
      priceCart({ lines, entries, settings: settings(), discount: code({ value: 100, ...change }) }).discount.amount
    expect(takenOff({ products: ['prod_a'] })).toBe(1000)
    expect(takenOff({ products: ['coat-b', 'sock-c'] })).toBe(500)
    expect(takenOff({ categories: ['men'] })).toBe(1000)
    expect(takenOff({ categories: ['coats'], products: ['shirt-a'] })).toBe(1500)
    expect(takenOff({ categories: [], products: [] })).toBe(1500)
    expect(takenOff({ categories: ['hats'] })).toBe(0)
  })

  test('may reduce a cart below the threshold of free shipping', () => {
    const commerce = { shippingMethods: [STANDARD], freeShippingOver: 10_000 }
    const cart = priced([[10_000, 1]], commerce, { discount: code({ value: 10 }) })
    expect(amountsOf(cart)).toMatchObject({ shipping: 600, remaining: 1000, total: 9600 })
  })

  test('of free shipping covers the first method, whatever the cart costs', () => {
    const commerce = { shippingMethods: [STANDARD, EXPRESS], freeShippingOver: 10_000 }
    const amountsWith = (shippingMethod?: typeof STANDARD) =>
      amountsOf(priced([[100, 1]], commerce, { shippingMethod, discount: code({ kind: 'shipping', value: 0 }) }))
    expect(amountsWith()).toMatchObject({ discount: 0, shipping: 0, remaining: 0, total: 100 })
    expect(amountsWith(EXPRESS)).toMatchObject({ discount: 0, shipping: 900, total: 1000 })
  })

  test('without a label is described by its value, in the currency of the shop', () => {
    const label = (discount: Partial<AppliedDiscount>, currency = 'USD', locale = 'en-US') =>
      priceCart({
        lines: [],
        entries: new Map(),
        settings: { ...settings({}, currency), locale },
        discount: code(discount),
      }).discountCode?.label
    expect(label({ value: 15 })).toBe('15% off')
    expect(label({ kind: 'fixed', value: 2000 })).toBe('$20.00 off')
    expect(label({ kind: 'fixed', value: 2000 }, 'JPY')).toBe('¥2,000 off')
    expect(label({ kind: 'fixed', value: 2000 }, 'KWD')).toMatch(/^KWD.2\.000 off$/)
    expect(label({ kind: 'shipping', value: 0 })).toBe('Free shipping')
    expect(label({ kind: 'percent', value: 5, label: '' })).toBe('5% off')
  })
})

describe('a line whose product was withdrawn', () => {
  const tax = { defaultRate: 1000, rates: [], pricesIncludeTax: false, shippingTaxed: false }
  const withdrawn = { lines: [line('var_0', 1), line('var_1', 2, 700)] }
  const shelf = (other?: PriceEntry) =>
    new Map([['var_0', entry('var_0', 1000)], ...(other ? [['var_1', other] as const] : [])])

  test.each([
    ['is gone', undefined],
    ['was unpublished', entry('var_1', 900, { published: false })],
    ['is sold in another currency now', entry('var_1', 900, { price: { amount: 900, currency: 'EUR' } })],
  ])('stays as it was stored and counts towards no total when it %s', (_why, other) => {
    const cart = priceCart({ ...withdrawn, entries: shelf(other), settings: settings({ tax }) })
    expect(cart.lines[1]).toMatchObject({ available: false, title: 'Old shirt', unitPrice: usd(700), quantity: 2 })
    expect(cart.lines[0]).not.toHaveProperty('available')
    expect(amountsOf(cart)).toMatchObject({ subtotal: 1000, tax: 100, total: 1100 })
  })

  test('keeps its price in the currency that the shop had then', () => {
    const cart = priceCart({ ...withdrawn, entries: shelf(), settings: settings({}, 'JPY') })
    expect(cart.lines[1]).toMatchObject({ available: false, unitPrice: usd(700), lineTotal: usd(1400) })
    expect(cart.total).toEqual({ amount: 0, currency: 'JPY' })
  })

  test('costs no shipping when it is the only line', () => {
    const cart = priceCart({
      lines: [line('var_1', 2)],
      entries: new Map(),
      settings: settings({ shippingMethods: [STANDARD] }),
    })
    expect(amountsOf(cart)).toMatchObject({ subtotal: 0, shipping: 0, total: 0 })
  })

  test('has the current price again when its product is sold again', () => {
    const cart = priceCart({ ...withdrawn, entries: shelf(entry('var_1', 900)), settings: settings() })
    expect(cart.lines[1]).toMatchObject({ title: 'Shirt', unitPrice: usd(900), lineTotal: usd(1800) })
    expect(cart.subtotal).toEqual(usd(2800))
  })
})

describe('for any cart and any settings of the shop', () => {
  const price = nat({ max: 100_000_000 })
  const countries = constantFrom('US', 'DE', 'JP', '')
  const shippingMethod = record({ id: constantFrom('a', 'b'), price: price.map(usd) })
  const commerce = record(
    {
      freeShippingOver: option(price),
      shippingMethods: array(shippingMethod, { maxLength: 3 }),
      countries: array(constantFrom('US', 'DE'), { maxLength: 2 }),
      tax: record({
        defaultRate: nat({ max: 10_000 }),
        rates: array(
          record({
            country: countries,
            region: option(constantFrom('CA', ''), { nil: undefined }),
            rate: nat({ max: 10_000 }),
          }),
          {
            maxLength: 4,
          },
        ).map((rates) => rates.map(({ region, ...rate }) => (region === undefined ? rate : { ...rate, region }))),
        pricesIncludeTax: boolean(),
        shippingTaxed: boolean(),
      }),
    },
    { requiredKeys: [] },
  )
  const goods = array(
    record({
      price,
      quantity: integer({ min: 1, max: 999 }),
      shelf: constantFrom('sold', 'unpublished', 'gone'),
      category: constantFrom('shirts', 'coats'),
    }),
    { maxLength: 12 },
  )
  const restricted = option(subarray(['shirts', 'coats', 'hats']))
  const discount = oneof(
    record({ kind: constantFrom('percent'), value: integer({ min: 1, max: 100 }), categories: restricted }),
    record({ kind: constantFrom('fixed'), value: integer({ min: 1, max: 1_000_000_000_000 }), categories: restricted }),
    record({ kind: constantFrom('shipping'), value: constantFrom(0), categories: restricted }),
  ).map((each) => code(each))
  // Currencies with none, two and three decimals: amounts are minor units in all of them.
  const currency = constantFrom('USD', 'JPY', 'KWD')
  const input: Arbitrary<PricingInput> = record({
    goods,
    commerce,
    destination: option(record({ country: countries, region: constantFrom('', 'CA') }), { nil: undefined }),
    shippingMethod: option(shippingMethod, { nil: undefined }),
    discount: option(discount, { nil: undefined }),
    currency,
  }).map(({ goods, commerce, currency, ...rest }) => ({
    lines: goods.map((each, index) => line(`var_${index}`, each.quantity, each.price)),
    entries: new Map(
      goods.flatMap((each, index) =>
        each.shelf === 'gone'
          ? []
          : [
              [
                `var_${index}`,
                entry(`var_${index}`, each.price, {
                  published: each.shelf === 'sold',
                  price: { amount: each.price, currency },
                  categories: [each.category],
                }),
              ],
            ],
      ),
    ),
    settings: settings(commerce, currency),
    ...rest,
  }))

  test('the total is subtotal - discount + shipping + tax, the tax left out when prices include it', () => {
    assert(
      property(input, (given) => {
        const { subtotal, discount, shipping, tax, total } = amountsOf(priceCart(given))
        const added = given.settings.commerce.tax?.pricesIncludeTax === true ? 0 : tax
        expect(total).toBe(subtotal - discount + shipping + added)
      }),
      { numRuns: 500 },
    )
  })

  test('every amount is a whole number, not negative, exact and in the currency of the shop, or of a withdrawn line', () => {
    assert(
      property(input, (given) => {
        const { lines, ...cart } = priceCart(given)
        const { currency, subtotal, discount, shipping, tax, total, freeShippingThreshold, freeShippingRemaining } =
          cart
        const all = [subtotal, discount, shipping, tax, total, freeShippingThreshold, freeShippingRemaining]
        const pricesOf = (each: CartLine) => [each.unitPrice, each.lineTotal]
        const sold = lines.filter(({ available }) => available !== false)
        const withdrawn = lines.filter(({ available }) => available === false)
        for (const each of [...all, ...lines.flatMap(pricesOf)]) {
          expect(Number.isSafeInteger(each.amount) && each.amount >= 0).toBe(true)
        }
        for (const each of [...all, ...sold.flatMap(pricesOf)]) expect(each.currency).toBe(currency)
        for (const each of withdrawn.flatMap(pricesOf)) expect(each.currency).toBe('USD')
      }),
      { numRuns: 500 },
    )
  })

  test('the subtotal is the sum of the lines that can be bought', () => {
    assert(
      property(input, (given) => {
        const cart = priceCart(given)
        const buyable = cart.lines.filter(({ available }) => available !== false)
        expect(cart.subtotal.amount).toBe(buyable.reduce((sum, { lineTotal }) => sum + lineTotal.amount, 0))
        for (const { unitPrice, quantity, lineTotal } of cart.lines) {
          expect(lineTotal.amount).toBe(unitPrice.amount * quantity)
        }
        expect(buyable.length === 0 ? cart.total.amount : 0).toBe(0)
      }),
    )
  })

  test('the order of the lines changes no amount', () => {
    const shuffled = input.chain((given) =>
      shuffledSubarray([...given.lines], { minLength: given.lines.length }).map((lines) => ({ given, lines })),
    )
    assert(
      property(shuffled, ({ given, lines }) => {
        expect(amountsOf(priceCart({ ...given, lines }))).toEqual(amountsOf(priceCart(given)))
      }),
    )
  })

  test('a discount takes off no more than the lines it applies to cost, and no amount becomes negative', () => {
    const given = input.chain((each) => discount.map((applied) => ({ ...each, discount: applied })))
    assert(
      property(given, (each) => {
        const [discounted, plain] = [priceCart(each), priceCart({ ...each, discount: undefined })].map(amountsOf)
        const wanted = each.discount.categories ?? []
        const eligible = each.lines.reduce((sum, { variantId, quantity }) => {
          const facts = each.entries.get(variantId)?.facts
          if (!facts?.published) return sum
          const isFor = wanted.length === 0 || facts.categories.some((category) => wanted.includes(category))
          return isFor ? sum + facts.price.amount * quantity : sum
        }, 0)
        expect(discounted?.subtotal).toBe(plain?.subtotal)
        expect(discounted?.discount).toBeGreaterThanOrEqual(0)
        expect(discounted?.discount).toBeLessThanOrEqual(eligible)
        expect(discounted?.total).toBeGreaterThanOrEqual(0)
        const exact = { percent: (eligible * each.discount.value) / 100, fixed: each.discount.value, shipping: 0 }
        const off = Math.min(exact[each.discount.kind], eligible)
        expect(Math.abs((discounted?.discount ?? NaN) - off)).toBeLessThanOrEqual(0.5)
        expect(each.discount.kind === 'shipping' ? discounted?.remaining : 0).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  test('a larger quantity never increases what is missing for free shipping, nor reduces the subtotal', () => {
    assert(
      property(input, (given) => {
        const more = { ...given, lines: given.lines.map((each) => ({ ...each, quantity: each.quantity + 1 })) }
        const [before, after] = [amountsOf(priceCart(given)), amountsOf(priceCart(more))]
        expect(after.subtotal).toBeGreaterThanOrEqual(before.subtotal)
        expect(after.remaining).toBeLessThanOrEqual(before.remaining)
        expect(after.tax).toBeGreaterThanOrEqual(given.settings.commerce.tax?.shippingTaxed === true ? 0 : before.tax)
      }),
    )
  })
})
