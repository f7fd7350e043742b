import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Cart, Order, Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectShopBalanced } from './support/shop-balance.ts'
import { openShop, stopAfter, type TestShop } from './support/shop.ts'
import { ADDRESS, type TestResponse, type TestClient } from './support/test-client.ts'

const UNITS = 100

let shop: TestShop
/** The variant ids of the three products, by slug. */
const variants = new Map<string, string>()

beforeAll(async () => {
  shop = await openShop()
  const imported = await shop.admin.post('/admin/import', {
    mode: 'merge',
    categories: [
      { slug: 'clothes', name: 'Clothes' },
      { slug: 'coats', name: 'Coats', parent: 'clothes' },
      { slug: 'rain-coats', name: 'Rain coats', parent: 'coats' },
      { slug: 'bags', name: 'Bags' },
    ],
    products: [product('mac', 8400, 'rain-coats'), product('tote', 4000, 'bags'), product('scarf', 999, 'clothes')],
  })
  expect(imported.status, JSON.stringify(imported.body)).toBe(200)
  for (const slug of ['mac', 'tote', 'scarf']) {
    const { id = '' } = Product.parse((await shop.client().get(`/products/${slug}`)).body).variants[0] ?? {}
    variants.set(slug, id)
  }
})

afterAll(() => stopAfter(expectShopBalanced(shop, new Map([...variants.values()].map((id) => [id, UNITS]))), shop))

function product(slug: string, amount: number, category: string) {
  return {
    slug,
    title: `The ${slug}`,
    price: { amount, currency: 'USD' },
    categories: [category],
    variants: [{ sku: slug, options: {}, inventory: UNITS }],
  }
}

async function makeDiscount(body: Record<string, unknown>): Promise<void> {
  const response = await shop.admin.post('/admin/discounts', body)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
}

const redemptionsOf = async (code: string) => Object(await shop.admin.get(`/admin/discounts/${code}`)).body.used

async function cartWith(client: TestClient, wanted: Record<string, number>): Promise<Cart> {
  let cart = Cart.parse((await client.post('/carts', { fresh: true })).body)
  for (const [slug, quantity] of Object.entries(wanted)) {
    const response = await client.post(`/carts/${cart.id}/lines`, { variant_id: variants.get(slug), quantity })
    cart = Cart.parse(response.body)
  }
  return cart
}

const applyTo = ({ id }: Cart, client: TestClient, code: string) => client.post(`/carts/${id}/discount`, { code })

/** A cart with a code that the shop accepted. */
async function cartWithCode(client: TestClient, wanted: Record<string, number>, code: string): Promise<Cart> {
  const response = await applyTo(await cartWith(client, wanted), client, code)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return Cart.parse(response.body)
}

const amountsOf = ({ subtotal, discount, shipping, tax, total }: Cart | Order) =>
  [subtotal, discount, shipping, tax, total].map(({ amount }) => amount)

/** Status, code and reason of an error; the status alone of a success. */
function errorOf({ status, body }: TestResponse): unknown[] {
  const { code, detail } = Object(body)
  return [status, code, detail?.reason].filter((part) => part !== undefined)
}

const rejected = (reason: string) => [422, 'invalid_discount', reason]

describe('a discount code', () => {
  test('takes ten percent off before tax, with free shipping, in the cart and in the order', async () => {
    await makeDiscount({ code: 'TEN', kind: 'percent', value: 10, label: 'Ten percent' })
    const guest = shop.client()
    const cart = await cartWithCode(guest, { mac: 4 }, ' ten ')
    expect(amountsOf(cart)).toEqual([33_600, 3360, 0, 2419, 32_659])
    expect(cart.discountCode).toEqual({ code: 'TEN', label: 'Ten percent' })
    expect(cart.freeShippingRemaining.amount).toBe(0)
    const order = Order.parse((await guest.checkOut(cart.id)).body)
    expect(amountsOf(order)).toEqual([33_600, 3360, 0, 2419, 32_659])
    expect(order.discountCode).toEqual({ code: 'TEN', label: 'Ten percent' })
    expect(Order.parse((await guest.get(`/orders/${order.id}`)).body).discountCode).toEqual(order.discountCode)
    expect(Order.parse((await shop.admin.get(`/admin/orders/${order.number}`)).body).discount).toEqual(order.discount)
  })

  test('rounds a percentage half up, once for all lines that it applies to', async () => {
    await makeDiscount({ code: 'FIFTEEN', kind: 'percent', value: 15 })
    // 15 percent of 2997 are 449.55; line by line it would be three times 150.
    expect(amountsOf(await cartWithCode(shop.client(), { scarf: 3 }, 'FIFTEEN'))[1]).toBe(450)
    // 15 percent of 999 and 4000 are 749.85.
    const cart = await cartWithCode(shop.client(), { scarf: 1, tote: 1 }, 'FIFTEEN')
    expect(amountsOf(cart)).toEqual([4999, 750, 695, 340, 4999 - 750 + 695 + 340])
  })

  test('takes off a fixed amount, but never more than the subtotal', async () => {
    await makeDiscount({ code: 'FIXED', kind: 'fixed', value: 1500 })
    const guest = shop.client()
    const cart = await cartWithCode(guest, { scarf: 1 }, 'fixed')
    expect(amountsOf(cart)).toEqual([999, 999, 695, 0, 695])
    expect(cart.freeShippingRemaining.amount).toBe(15_000)
    const more = await guest.post(`/carts/${cart.id}/lines`, { variant_id: variants.get('tote'), quantity: 1 })
    expect(amountsOf(Cart.parse(more.body))).toEqual([4999, 1500, 695, 280, 4999 - 1500 + 695 + 280])
  })

  test('takes off the price of the first shipping method; a more expensive one costs the difference', async () => {
    await makeDiscount({ code: 'SHIPPED', kind: 'shipping' })
    const guest = shop.client()
    const cart = await cartWithCode(guest, { tote: 1 }, 'SHIPPED')
    expect(amountsOf(cart)).toEqual([4000, 0, 0, 320, 4320])
    expect(cart.freeShippingRemaining.amount).toBe(0)
    expect(cart.discountCode).toMatchObject({ code: 'SHIPPED' })
    const body = { email: 'ada@example.com', shipping_address: ADDRESS, shipping_method: 'express' }
    const order = Order.parse((await guest.post(`/carts/${cart.id}/checkout`, body)).body)
    expect(amountsOf(order)).toEqual([4000, 0, 800, 320, 5120])
  })

  test('applies only to its products and its categories, with those below them', async () => {
    await makeDiscount({ code: 'COATS', kind: 'percent', value: 50, categories: ['coats'] })
    await makeDiscount({ code: 'TOTES', kind: 'fixed', value: 5000, products: ['tote'] })
    await makeDiscount({ code: 'EITHER', kind: 'percent', value: 10, categories: ['bags'], products: ['mac'] })
    const wanted = { mac: 1, tote: 1, scarf: 1 }
    // The scarf is in a category above coats, not below it.
    expect(amountsOf(await cartWithCode(shop.client(), wanted, 'COATS'))[1]).toBe(4200)
    expect(amountsOf(await cartWithCode(shop.client(), wanted, 'TOTES'))[1]).toBe(4000)
    expect(amountsOf(await cartWithCode(shop.client(), wanted, 'EITHER'))[1]).toBe(1240)
    const guest = shop.client()
    const scarf = await cartWith(guest, { scarf: 1 })
    for (const code of ['COATS', 'TOTES', 'EITHER']) {
      expect(errorOf(await applyTo(scarf, guest, code))).toEqual(rejected('nothing_eligible'))
    }
  })

  test('is rejected below its minimum, and removed when the subtotal falls below it', async () => {
    await makeDiscount({ code: 'MINIMUM', kind: 'percent', value: 10, minSubtotal: 8000 })
    const guest = shop.client()
    const cart = await cartWith(guest, { tote: 1 })
    const early = await applyTo(cart, guest, 'MINIMUM')
    expect(errorOf(early)).toEqual(rejected('below_minimum'))
    expect(Object(early.body).message).toBe('This discount code needs an order of $80.00 or more.')
    const line = `/carts/${cart.id}/lines/${cart.lines[0]?.id}`
    await guest.call('PATCH', line, { quantity: 2 })
    expect(amountsOf(Cart.parse((await applyTo(cart, guest, 'MINIMUM')).body))[1]).toBe(800)
    for (const quantity of [1, 2]) {
      // A removed code is not applied again, because a code that comes back would surprise the buyer.
      const changed = Cart.parse((await guest.call('PATCH', line, { quantity })).body)
      expect([changed.discount.amount, changed.discountCode]).toEqual([0, undefined])
    }
  })
})

describe('an invalid code', () => {
  test('is rejected, and changes neither the cart nor its code', async () => {
    await makeDiscount({ code: 'KEPT', kind: 'fixed', value: 100 })
    await makeDiscount({ code: 'OVER', kind: 'fixed', value: 200, endsAt: '2020-01-01T00:00:00Z' })
    await makeDiscount({ code: 'SOON', kind: 'fixed', value: 200, startsAt: '2999-01-01T00:00:00Z' })
    await makeDiscount({ code: 'OFF', kind: 'fixed', value: 200, active: false })
    const guest = shop.client()
    const cart = await cartWithCode(guest, { tote: 1 }, 'KEPT')
    expect(errorOf(await applyTo(cart, guest, 'over'))).toEqual(rejected('expired'))
    // A code that is not active yet looks like an unknown one.
    for (const code of ['SOON', 'OFF', 'NONE']) {
      expect(errorOf(await applyTo(cart, guest, code))).toEqual(rejected('unknown'))
    }
    expect(Cart.parse((await guest.get(`/carts/${cart.id}`)).body)).toEqual(cart)
    const cleared = Cart.parse((await applyTo(cart, guest, '')).body)
    expect([cleared.discount.amount, cleared.discountCode]).toEqual([0, undefined])
  })

  test.each([
    ['was switched off', (code: string) => shop.admin.call('PATCH', `/admin/discounts/${code}`, { active: false })],
    [
      'has expired',
      (code: string) => shop.admin.call('PATCH', `/admin/discounts/${code}`, { endsAt: '2020-01-01T00:00:00Z' }),
    ],
    ['was deleted', (code: string) => shop.admin.call('DELETE', `/admin/discounts/${code}`)],
  ])('that %s is rejected at the checkout with 422, and removed from the cart', async (what, end) => {
    const code = `ENDS-${what.replaceAll(' ', '-')}`.toUpperCase()
    await makeDiscount({ code, kind: 'percent', value: 10 })
    const [buyer, reader] = [shop.client(), shop.client()]
    const [bought, read] = [await cartWithCode(buyer, { tote: 1 }, code), await cartWithCode(reader, { tote: 1 }, code)]
    expect((await end(code)).status).toBe(200)
    const response = await buyer.checkOut(bought.id)
    expect(errorOf(response).slice(0, 2)).toEqual([422, 'invalid_discount'])
    for (const [client, cart] of [
      [buyer, bought],
      [reader, read],
    ] as const) {
      const repriced = Cart.parse((await client.get(`/carts/${cart.id}`)).body)
      expect([repriced.discount.amount, repriced.discountCode, repriced.lines.length]).toEqual([0, undefined, 1])
    }
    expect(Order.parse((await buyer.checkOut(bought.id)).body).discount.amount).toBe(0)
  })
})

describe('a limit', () => {
  test('of three lets three of ten checkouts redeem a code; a canceled order releases it', async () => {
    await makeDiscount({ code: 'THREE', kind: 'percent', value: 10, usageLimit: 3 })
    const buyers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const client = shop.client()
        return { client, email: `buyer-${index}@example.com`, cart: await cartWithCode(client, { tote: 1 }, 'THREE') }
      }),
    )
    const responses = await Promise.all(buyers.map(({ client, email, cart }) => client.checkOut(cart.id, email)))
    const orders = responses.filter(({ status }) => status === 200).map(({ body }) => Order.parse(body))
    expect(orders.map(({ discountCode, discount }) => [discountCode?.code, discount.amount])).toEqual(
      Array.from({ length: 3 }, () => ['THREE', 400]),
    )
    const errors = responses.filter(({ status }) => status !== 200).map(errorOf)
    expect(errors).toEqual(Array.from({ length: 7 }, () => rejected('used_up')))
    expect(await redemptionsOf('THREE')).toBe(3)

    // A repeated checkout gets its order, and redeems the code no second time.
    const [winner] = buyers.filter((_, index) => responses[index]?.status === 200)
    const again = await winner?.client.checkOut(winner.cart.id, winner.email)
    expect(orders.map(({ id }) => id)).toContain(Object(again?.body).id)
    expect(await redemptionsOf('THREE')).toBe(3)

    const cancelled = await shop.admin.call('PATCH', `/admin/orders/${orders[0]?.id}`, { status: 'cancelled' })
    expect(cancelled.status).toBe(200)
    await waitFor('the redemption to be released', async () => (await redemptionsOf('THREE')) === 2)
    const late = shop.client()
    const order = Order.parse((await late.checkOut((await cartWithCode(late, { tote: 1 }, 'THREE')).id)).body)
    expect(order.discountCode?.code).toBe('THREE')
    expect(await redemptionsOf('THREE')).toBe(3)
    const tooLate = shop.client()
    expect(errorOf(await applyTo(await cartWith(tooLate, { tote: 1 }), tooLate, 'THREE'))).toEqual(rejected('used_up'))
  })

  test('per customer counts accounts, and for guests email addresses in any spelling', async () => {
    await makeDiscount({ code: 'ONCE', kind: 'fixed', value: 500, perCustomerLimit: 1 })
    const customer = shop.client()
    await customer.register('once@example.com')
    const first = await cartWithCode(customer, { tote: 1 }, 'ONCE')
    expect(Order.parse((await customer.checkOut(first.id, 'once@example.com')).body).discount.amount).toBe(500)
    // The account counts, whatever address it gives.
    const second = await cartWith(customer, { tote: 1 })
    expect(errorOf(await applyTo(second, customer, 'ONCE'))).toEqual(rejected('used_before'))
    // The address of a guest is known at the checkout.
    const guest = shop.client()
    const cart = await cartWithCode(guest, { tote: 1 }, 'ONCE')
    expect(errorOf(await guest.checkOut(cart.id, ' Once@Example.COM '))).toEqual(rejected('used_before'))
    // Two concurrent guests with one address are one customer.
    const pair = await Promise.all(
      [shop.client(), shop.client()].map(async (client) => ({
        client,
        cart: await cartWithCode(client, { tote: 1 }, 'ONCE'),
      })),
    )
    const responses = await Promise.all(pair.map((one) => one.client.checkOut(one.cart.id, 'pair@example.com')))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 422).map(errorOf)).toEqual([rejected('used_before')])
    expect(await redemptionsOf('ONCE')).toBe(2)
  })

  test('is not used up by a checkout that fails', async () => {
    await makeDiscount({ code: 'LAST', kind: 'fixed', value: 500, usageLimit: 1 })
    const scarce = (await shop.stockProduct('scarce-shirt', 1)).variants[0]?.id ?? ''
    variants.set('scarce-shirt', scarce)
    const [loser, winner] = [shop.client(), shop.client()]
    const cart = await cartWithCode(loser, { 'scarce-shirt': 1 }, 'LAST')
    await winner.buy(scarce)
    variants.delete('scarce-shirt')
    expect(errorOf(await loser.checkOut(cart.id)).slice(0, 2)).toEqual([409, 'out_of_stock'])
    await waitFor('the redemption to be released', async () => (await redemptionsOf('LAST')) === 0)
    const other = shop.client()
    const order = await other.checkOut((await cartWithCode(other, { tote: 1 }, 'LAST')).id)
    expect(Order.parse(order.body).discountCode?.code).toBe('LAST')
  })
})

describe('the merchant', () => {
  test('finds, changes and deletes a code in upper or lower case', async () => {
    await makeDiscount({ code: 'Merchant-1', kind: 'percent', value: 5 })
    const saved = await shop.admin.post('/admin/discounts', { code: 'merchant-1', label: 'Spring' })
    expect(saved.body).toMatchObject({ code: 'MERCHANT-1', kind: 'percent', value: 5, label: 'Spring' })
    expect((await shop.admin.get('/admin/discounts/merchant-1')).body).toMatchObject({ code: 'MERCHANT-1', used: 0 })
    expect((await shop.admin.get('/admin/discounts?q=merchant')).body).toMatchObject({
      total: 1,
      items: [{ code: 'MERCHANT-1', kind: 'percent', value: 5, label: 'Spring', active: true, used: 0 }],
    })
    const unknown = { code: 'merchant-1', products: ['tote', 'totes'] }
    expect(errorOf(await shop.admin.post('/admin/discounts', unknown))).toEqual([422, 'validation_failed'])
    expect((await shop.admin.call('DELETE', '/admin/discounts/merchant-1')).body).toEqual({ ok: true })
    expect(errorOf(await shop.admin.call('DELETE', '/admin/discounts/merchant-1'))).toEqual([404, 'not_found'])
    expect(errorOf(await shop.admin.get('/admin/discounts/MERCHANT-1'))).toEqual([404, 'not_found'])
  })
})
