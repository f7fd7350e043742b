import { waitFor, waitForLock } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cartOf, contentOf, createShop, errorOf, usd, type Shop } from './shop.ts'

const GONE = { status: 404, code: 'cart_not_found', message: 'This cart no longer exists.', detail: undefined }
let shop: Shop

beforeAll(async () => {
  shop = await createShop()
})
afterAll(() => shop.stop())

beforeEach(async () => {
  await shop.shelf.put('var_m', { price: usd(4000), published: true, inventory: 10, title: 'Linen shirt' })
  await shop.shelf.put('var_l', { price: usd(5000), published: true, inventory: 10 })
  await shop.shelf.configure({ commerce: {} })
})

const get = (id: string, headers: object = {}) => shop.call('GET', `/carts/${id}`, undefined, headers)
const read = async (id: string, headers: object = {}) => cartOf(await get(id, headers))

describe('a cart that is read', () => {
  test('shows its lines as the client needs them', async () => {
    const { id } = await shop.cartWith({ var_m: 2 })
    expect((await read(id)).lines).toEqual([
      {
        id: expect.stringMatching(/^line_/),
        variantId: 'var_m',
        sku: 'LS-var_m',
        productId: 'prod_1',
        productSlug: 'linen-shirt',
        title: 'Linen shirt',
        options: { Size: 'M' },
        image: { url: '/media/shirt.svg', alt: 'A linen shirt' },
        quantity: 2,
        unitPrice: usd(4000),
        lineTotal: usd(8000),
      },
    ])
  })

  test('follows the current price, name and shipping, without a request to catalog', async () => {
    const { id } = await shop.cartWith({ var_m: 2, var_l: 1 })
    const requests = shop.shelf.requests()
    expect((await read(id)).total).toEqual(usd(13_000))
    await shop.shelf.put('var_m', { price: usd(3500), title: 'Linen shirt, washed' })
    const tax = { defaultRate: 800, rates: [], pricesIncludeTax: false, shippingTaxed: false }
    const shippingMethods = [{ id: 'standard', price: usd(600) }]
    await shop.shelf.configure({ commerce: { shippingMethods, freeShippingOver: 15_000, tax } })
    const cart = await read(id)
    expect(cart.lines[0]).toMatchObject({ title: 'Linen shirt, washed', unitPrice: usd(3500), lineTotal: usd(7000) })
    expect(cart).toMatchObject({
      subtotal: usd(12_000),
      shipping: usd(600),
      tax: usd(960),
      total: usd(13_560),
      freeShippingThreshold: usd(15_000),
      freeShippingRemaining: usd(3000),
    })
    expect(shop.shelf.requests()).toBe(requests)
  })

  test('follows a price and a shipping cost that have the versions of others, which a promoted standby had lost', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    const shippingAt = (amount: number) => ({ shippingMethods: [{ id: 'standard', price: usd(amount) }] })
    await shop.shelf.put('var_m', { price: usd(3000), factsVersion: 500 })
    await shop.shelf.configure({ version: 500, commerce: shippingAt(100) })
    expect((await read(id)).total).toEqual(usd(3100))
    await shop.shelf.put('var_m', { price: usd(3200), factsVersion: 500 })
    await shop.shelf.configure({ version: 500, commerce: shippingAt(200) })
    expect((await read(id)).total).toEqual(usd(3400))
  })

  test('keeps a line that was unpublished, marked and counted towards no total, until it is published again', async () => {
    const { id } = await shop.cartWith({ var_m: 2, var_l: 1 })
    await shop.shelf.put('var_m', { published: false, price: usd(1) })
    const cart = await read(id)
    expect(cart.lines[0]).toMatchObject({ variantId: 'var_m', available: false, unitPrice: usd(4000), quantity: 2 })
    expect(cart.lines[1]).not.toHaveProperty('available')
    expect(cart.total).toEqual(usd(5000))
    await shop.shelf.put('var_m', { published: true, price: usd(3000) })
    expect(await read(id)).toMatchObject({ total: usd(11_000) })
  })

  test('keeps a line whose product was deleted, with its last name and price', async () => {
    const { id } = await shop.cartWith({ var_l: 3 })
    await shop.shelf.remove('var_l')
    const cart = await read(id)
    expect(cart.lines).toMatchObject([{ title: 'Linen shirt var_l', available: false, lineTotal: usd(15_000) }])
    expect(cart.total).toEqual(usd(0))
  })

  test('is requested from catalog where Redis does not have a variant', async () => {
    const { id } = await shop.cartWith({ var_m: 1, var_l: 1 })
    await shop.shelf.deleteInRedis('var_m')
    const requests = shop.shelf.requests()
    expect((await read(id)).total).toEqual(usd(9000))
    expect(shop.shelf.requests()).toBe(requests + 1)
  })

  test('is read from catalog while Redis has no SKU of a variant, and from Redis once it has', async () => {
    await shop.shelf.put('var_before')
    const { id } = await shop.cartWith({ var_m: 1 })
    const restore = await shop.shelf.dropSkuInRedis('var_before')
    const requests = shop.shelf.requests()
    await shop.call('POST', `/carts/${id}/lines`, { variant_id: 'var_before', quantity: 1 })
    const lines = async () => (await read(id)).lines.map(({ sku, productId }) => ({ sku, productId }))
    const expected = ['LS-var_m', 'LS-var_before'].map((sku) => ({ sku, productId: 'prod_1' }))
    expect(await lines()).toEqual(expected)
    expect(shop.shelf.requests()).toBe(requests + 2)
    await restore()
    expect(await lines()).toEqual(expected)
    expect(shop.shelf.requests()).toBe(requests + 2)
  })

  test('shows a line that was stored before lines had a SKU, while its product exists and after it was deleted', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    await shop.suite.sql(
      `update cart.carts set lines = (
         select jsonb_agg(line #- '{remembered,sku}' #- '{remembered,productId}')
         from jsonb_array_elements(lines) as line) where id = $1`,
      [id],
    )
    expect((await read(id)).lines).toMatchObject([{ sku: 'LS-var_m', productId: 'prod_1' }])
    await shop.shelf.put('var_m', { published: false })
    const [line] = (await read(id)).lines
    expect(line).toMatchObject({ variantId: 'var_m', available: false })
    expect(line).not.toHaveProperty('sku')
  })

  test('is not changed by being read', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    const before = await shop.suite.sql('select version, expires_at from cart.carts where id = $1', [id])
    await read(id)
    expect(await shop.suite.sql('select version, expires_at from cart.carts where id = $1', [id])).toEqual(before)
  })
})

describe('a cart that does not exist', () => {
  test.each(['cart_00000000000000000000000000000000', 'nothing', '%20', 'x'.repeat(900)])('is 404: %s', async (id) => {
    expect(errorOf(await get(id))).toEqual(GONE)
  })
})

describe('the cart of a customer', () => {
  test('is not found by other customers, whatever they try', async () => {
    const ada = shop.suite.headers.customer('cus_ada')
    const cart = await shop.cartWith({ var_m: 1 }, ada)
    const lineId = cart.lines[0]?.id ?? ''
    for (const outsider of [{}, shop.suite.headers.anonymous(), shop.suite.headers.customer('cus_eve')]) {
      expect(errorOf(await get(cart.id, outsider))).toEqual(GONE)
      const add = { variant_id: 'var_m', quantity: 1 }
      expect(errorOf(await shop.call('POST', `/carts/${cart.id}/lines`, add, outsider))).toEqual(GONE)
      const line = `/carts/${cart.id}/lines/${lineId}`
      expect(errorOf(await shop.call('PATCH', line, { quantity: 0 }, outsider))).toEqual(GONE)
      expect(errorOf(await shop.call('DELETE', line, undefined, outsider))).toEqual(GONE)
      expect(errorOf(await shop.call('DELETE', `/carts/${cart.id}/lines`, undefined, outsider))).toEqual(GONE)
    }
    expect(contentOf(await read(cart.id, ada))).toEqual([['var_m', 1]])
  })

  test('was a guest cart that the customer opened, and is closed to the guest from then on', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    await read(id, shop.suite.headers.customer('cus_ada'))
    expect(errorOf(await get(id))).toEqual(GONE)
    expect(errorOf(await get(id, shop.suite.headers.customer('cus_eve')))).toEqual(GONE)
  })

  test('is not returned for an actor with an invalid signature', async () => {
    const { id } = await shop.cartWith({ var_m: 1 }, shop.suite.headers.customer('cus_ada'))
    const actor = Buffer.from(
      JSON.stringify({ actor: { kind: 'customer', customerId: 'cus_ada', sessionId: 's' }, expiresAt: 9e15 }),
    ).toString('base64url')
    for (const forged of [actor, `${actor}.`, `${actor}.${actor}`, 'x', '', '.', '{}']) {
      expect(errorOf(await get(id, { 'x-actor': forged })), forged).toEqual(GONE)
    }
  })

  test('belongs to one of two customers who open a guest cart at once', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    const both = ['cus_ada', 'cus_eve'].map((customerId) => shop.suite.headers.customer(customerId))
    // Both have read the guest cart when the lock on the row is released.
    await shop.suite.sql('begin')
    await shop.suite.sql('select from cart.carts where id = $1 for update', [id])
    const responses = Promise.all(both.map((headers) => get(id, headers)))
    try {
      await waitForLock(shop.suite, '', { statements: 2 })
    } finally {
      await shop.suite.sql('commit')
    }
    const first = (await responses).map(({ status }) => status)
    expect(first.filter((status) => status === 200)).toHaveLength(1)
    expect((await responses).filter(({ status }) => status === 404)).toHaveLength(1)
    expect((await Promise.all(both.map((headers) => get(id, headers)))).map(({ status }) => status)).toEqual(first)
  })

  test("stays the customer's when a guest who read it earlier writes later", async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    await shop.shelf.deleteInRedis('var_l')
    const release = shop.shelf.holdResponses()
    const requests = shop.shelf.requests()
    const guest = shop.call('POST', `/carts/${id}/lines`, { variant_id: 'var_l', quantity: 1 })
    await waitFor('the guest to have read', () => shop.shelf.requests() > requests)
    const ada = shop.suite.headers.customer('cus_grace')
    await read(id, ada)
    release()
    expect(errorOf(await guest)).toEqual(GONE)
    expect(contentOf(await read(id, ada))).toEqual([['var_m', 1]])
  })
})

describe('a cart that is read for a delivery', () => {
  const tax = {
    defaultRate: 0,
    rates: [
      { country: 'DE', rate: 1900 },
      { country: 'US', region: 'CA', rate: 725 },
    ],
    pricesIncludeTax: false,
    shippingTaxed: true,
  }
  const shippingMethods = [
    { id: 'standard', price: usd(500) },
    { id: 'express', price: usd(1500) },
  ]
  beforeEach(() => shop.shelf.configure({ commerce: { countries: ['US', 'DE'], shippingMethods, tax } }))

  test('costs what a checkout with that country, region and method charges, and stays as it is', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    const german = await read(`${id}?country=de&shipping_method=express`)
    expect(german).toMatchObject({ shipping: usd(1500), tax: usd(1045), total: usd(6545) })
    const californian = await read(`${id}?country=US&region=California`)
    expect(californian).toMatchObject({ shipping: usd(500), tax: usd(326), total: usd(4826) })
    for (const anywhere of [id, `${id}?country=&region=&shipping_method=`])
      expect(await read(anywhere)).toMatchObject({ shipping: usd(500), tax: usd(0), total: usd(4500) })
  })

  test('has the errors of that checkout', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    const fault = async (query: string) => errorOf(await get(`${id}?${query}`))
    expect(await fault('country=FR')).toMatchObject({ status: 422, code: 'undeliverable_country' })
    expect(await fault('country=Atlantis')).toMatchObject({ status: 422, code: 'undeliverable_country' })
    expect(await fault('shipping_method=balloon')).toMatchObject({ status: 422, code: 'invalid_shipping_method' })
    expect(await fault('country=US&region=Oz')).toMatchObject({
      code: 'validation_failed',
      detail: { issues: [{ path: 'region' }] },
    })
  })
})
