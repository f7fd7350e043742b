import { sendRequest, type Messaging } from '@storefront/messaging'
import { Address, QuoteCart, type Quote } from '@storefront/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rejectionOf } from './orders.ts'
import { cartOf, createShop, usd, type Shop } from './shop.ts'

const COMMERCE = {
  shippingMethods: [
    { id: 'standard', price: usd(600) },
    { id: 'express', price: usd(1500) },
  ],
  countries: ['US', 'DE'],
  freeShippingOver: 20_000,
  tax: {
    defaultRate: 0,
    rates: [
      { country: 'US', region: 'CA', rate: 800 },
      { country: 'DE', rate: 1900 },
    ],
    pricesIncludeTax: false,
    shippingTaxed: false,
  },
}
const CALIFORNIA = { name: 'Ada', line1: '1 Way', city: 'LA', region: 'CA', postalCode: '90001', country: 'US' }

let shop: Shop
let orders: Messaging

beforeAll(async () => {
  shop = await createShop()
  orders = await shop.suite.openMessaging('orders')
})
afterAll(() => shop.stop())

beforeEach(async () => {
  await shop.shelf.put('var_m', { price: usd(4000), published: true, title: 'Linen shirt', inventory: 10 })
  await shop.shelf.put('var_l', { price: usd(5000), published: true, title: 'Wool coat', inventory: 10 })
  await shop.shelf.configure({ commerce: COMMERCE, checkoutMode: 'demo', numberPrefix: 'SF-' })
})

interface Delivery {
  address?: Partial<Address>
  shippingMethod?: string
  headers?: { 'x-actor': string }
}

const quote = (cartId: string, { address, shippingMethod = 'standard', headers }: Delivery = {}): Promise<Quote> =>
  sendRequest(
    orders,
    QuoteCart,
    { cartId, address: Address.parse({ ...CALIFORNIA, ...address }), shippingMethod },
    { actorToken: headers?.['x-actor'] },
  )

describe('a quote', () => {
  test('is the cart with the tax of the address, the price of the method and the terms of the shop', async () => {
    const cart = await shop.cartWith({ var_m: 2, var_l: 1 })
    await shop.shelf.configure({ numberPrefix: 'ZZ-', checkoutMode: 'api', locale: 'de-DE' })
    expect(await quote(cart.id)).toEqual({
      cartId: cart.id,
      currency: 'USD',
      lines: cart.lines,
      subtotal: usd(13_000),
      discount: usd(0),
      shipping: usd(600),
      tax: usd(1040),
      taxTerms: { rate: 800, isIncluded: false, onShipping: false },
      total: usd(14_640),
      shippingMethod: 'standard',
      terms: {
        checkoutMode: 'api',
        numberPrefix: 'ZZ-',
        locale: 'de-DE',
        checkoutProvider: 'demo',
        storeName: 'Shop',
      },
    })
  })

  test.each<[string, Delivery, { shipping: number; tax: number; shippingMethod: string }]>([
    [
      'the region by its name',
      { address: { region: 'California' } },
      { shipping: 600, tax: 1040, shippingMethod: 'standard' },
    ],
    [
      'the region by an abbreviation',
      { address: { region: 'Calif.' } },
      { shipping: 600, tax: 1040, shippingMethod: 'standard' },
    ],
    ['another region', { address: { region: 'NY' } }, { shipping: 600, tax: 0, shippingMethod: 'standard' }],
    ['another country', { address: { country: 'de' } }, { shipping: 600, tax: 2470, shippingMethod: 'standard' }],
    [
      'a more expensive method',
      { shippingMethod: 'express' },
      { shipping: 1500, tax: 1040, shippingMethod: 'express' },
    ],
    ['no method named', { shippingMethod: '' }, { shipping: 600, tax: 1040, shippingMethod: 'standard' }],
  ])('follows %s', async (_what, delivery, expected) => {
    const { id } = await shop.cartWith({ var_m: 2, var_l: 1 })
    const { shipping, tax, total, subtotal, shippingMethod } = await quote(id, delivery)
    expect({ shipping: shipping.amount, tax: tax.amount, shippingMethod }).toEqual(expected)
    expect(total.amount).toBe(subtotal.amount + shipping.amount + tax.amount)
  })

  test('contains the terms of its tax, for the invoice', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    const tax = { ...COMMERCE.tax, pricesIncludeTax: true, shippingTaxed: true }
    await shop.shelf.configure({ commerce: { ...COMMERCE, tax } })
    const { taxTerms } = await quote(id, { address: { country: 'DE' } })
    expect(taxTerms).toEqual({ rate: 1900, isIncluded: true, onShipping: true })
    await shop.shelf.configure({ commerce: {} })
    expect(await quote(id)).not.toHaveProperty('taxTerms')
  })

  test('has free shipping for the first method from the threshold on, and a more expensive one for the difference', async () => {
    const { id } = await shop.cartWith({ var_l: 4 })
    expect((await quote(id)).shipping).toEqual(usd(0))
    expect((await quote(id, { shippingMethod: 'express' })).shipping).toEqual(usd(900))
  })

  test('uses the current prices', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    await shop.shelf.put('var_m', { price: usd(1000) })
    expect(await quote(id)).toMatchObject({ subtotal: usd(1000), tax: usd(80), total: usd(1680) })
  })

  test('names the owner of the cart, and makes a guest cart that of a customer who has none', async () => {
    const headers = shop.suite.headers.customer('cus_ada')
    const guest = await shop.cartWith({ var_m: 1 })
    expect((await quote(guest.id, { headers })).customerId).toBe('cus_ada')
    expect(await rejectionOf(quote(guest.id))).toMatchObject({ code: 'cart_not_found' })
    const second = await shop.cartWith({ var_m: 1 })
    expect(await quote(second.id, { headers })).toMatchObject({ cartId: second.id, customerId: 'cus_ada' })
  })

  test('ships anywhere and for free in a shop that configured neither', async () => {
    await shop.shelf.configure({ commerce: {} })
    const { id } = await shop.cartWith({ var_m: 1 })
    const delivery = { address: { country: 'AQ' }, shippingMethod: 'sledge' }
    expect(await quote(id, delivery)).toMatchObject({ shipping: usd(0), tax: usd(0), total: usd(4000) })
  })
})

describe('a quote is rejected', () => {
  test('for an empty cart', async () => {
    const { id } = await shop.cartWith()
    expect(await rejectionOf(quote(id))).toMatchObject({ status: 422, code: 'empty_cart' })
  })

  test('for a method that the shop does not have, with those it has', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    expect(await rejectionOf(quote(id, { shippingMethod: 'pigeon' }))).toMatchObject({
      status: 422,
      code: 'invalid_shipping_method',
      detail: { known: ['standard', 'express'] },
    })
  })

  test('for a country that is not served', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    expect(await rejectionOf(quote(id, { address: { country: 'FR' } }))).toMatchObject({
      status: 422,
      code: 'undeliverable_country',
      detail: { country: 'FR' },
    })
  })

  test.each(['', '  ', 'Kalifornia', 'Bavaria', 'x'.repeat(200)])(
    'for the region %j, which a country that is taxed by region does not have',
    async (region) => {
      const { id } = await shop.cartWith({ var_m: 1 })
      expect(await rejectionOf(quote(id, { address: { region } }))).toMatchObject({
        status: 422,
        code: 'validation_failed',
        detail: {
          issues: [
            { path: 'shipping_address.region', message: expect.stringMatching(/^must be a region of US .*such as CA/) },
          ],
        },
      })
      // Germany is taxed as a whole.
      expect((await quote(id, { address: { country: 'DE', region } })).tax.amount).toBeGreaterThan(0)
    },
  )

  test('for a cart that does not exist or belongs to another customer', async () => {
    const { id } = await shop.cartWith({ var_m: 1 }, shop.suite.headers.customer('cus_ada'))
    const gone = { status: 404, code: 'cart_not_found' }
    expect(await rejectionOf(quote('cart_nothing'))).toMatchObject(gone)
    expect(await rejectionOf(quote(id))).toMatchObject(gone)
    expect(await rejectionOf(quote(id, { headers: shop.suite.headers.customer('cus_eve') }))).toMatchObject(gone)
    expect(await rejectionOf(quote(id, { headers: { 'x-actor': 'forged.token' } }))).toMatchObject(gone)
  })

  test('when a product was withdrawn, naming the line', async () => {
    const cart = await shop.cartWith({ var_m: 2, var_l: 1 })
    await shop.shelf.put('var_m', { published: false })
    expect(await rejectionOf(quote(cart.id))).toEqual({
      status: 409,
      code: 'out_of_stock',
      message: 'Linen shirt is no longer available. Please remove it from your cart.',
      detail: {
        lines: [
          {
            lineId: cart.lines[0]?.id,
            variantId: 'var_m',
            title: 'Linen shirt',
            options: { Size: 'M' },
            wanted: 2,
            available: 0,
          },
        ],
      },
    })
    await shop.shelf.remove('var_l')
    expect(await rejectionOf(quote(cart.id))).toMatchObject({
      code: 'out_of_stock',
      message: '2 items in your cart are no longer available. Please remove them.',
      detail: { lines: [{ variantId: 'var_m' }, { variantId: 'var_l' }] },
    })
    // The cart is unchanged.
    expect(cartOf(await shop.call('GET', `/carts/${cart.id}`)).lines).toHaveLength(2)
  })

  test('when a product was withdrawn, naming also the lines that are short of stock', async () => {
    await shop.shelf.put('var_l', { inventory: 3 })
    const cart = await shop.cartWith({ var_m: 2, var_l: 3 })
    await shop.shelf.put('var_m', { published: false })
    expect(await rejectionOf(quote(cart.id))).toMatchObject({ detail: { lines: [{ variantId: 'var_m' }] } })
    await shop.shelf.put('var_l', { inventory: 1 })
    expect(await rejectionOf(quote(cart.id))).toMatchObject({
      status: 409,
      code: 'out_of_stock',
      message: '2 items in your cart are no longer available in that quantity. Please check your cart.',
      detail: {
        lines: [
          { variantId: 'var_m', wanted: 2, available: 0 },
          { lineId: cart.lines[1]?.id, variantId: 'var_l', title: 'Wool coat', wanted: 3, available: 1 },
        ],
      },
    })
  })
})
