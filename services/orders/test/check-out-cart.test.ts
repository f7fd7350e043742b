import { HttpError } from '@storefront/service'
import { OrderPaid, OrderPlaced } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BUYER, cookie, createShop, newBrowser, orderOf, errorOf, usd, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
})
afterAll(() => shop.stop())

beforeEach(() => {
  shop.stock.set('var_m', 1000)
  shop.stock.set('var_l', 1000)
})

const ordersOf = (cartId: string) =>
  shop.suite.sql<{ id: string }>('select id from orders.orders where cart_id = $1', [cartId])
const eventsOf = async (orderId: string) => ({
  placed: (await shop.suite.eventsOf(OrderPlaced)).filter(({ order }) => order.id === orderId),
  paid: (await shop.suite.eventsOf(OrderPaid)).filter((event) => event.orderId === orderId),
})
const paid = (orderId: string) =>
  waitFor('the payment', async () => {
    const [row] = await shop.suite.sql<{ status: string }>('select status from orders.orders where id = $1', [orderId])
    return row?.status === 'paid'
  })

describe('a checkout', () => {
  test('places an order with everything that was sold, and the demo provider pays it once', async () => {
    const cart = shop.addCart({ var_m: 2, var_l: 1 })
    const placed = await shop.checkOut(cart.id)
    const order = orderOf(placed)
    expect(order).toEqual({
      id: expect.stringMatching(/^order_[0-9a-f]{36}$/),
      number: 'SF-10001',
      status: 'placed',
      placedAt: expect.any(String),
      lines: cart.lines,
      subtotal: usd(12_000),
      discount: usd(0),
      shipping: usd(600),
      tax: usd(320),
      total: usd(12_920),
      shippingAddress: { ...BUYER.shipping_address, line2: '', phone: '', country: 'US' },
      shippingMethod: 'standard',
      email: 'ada@mail.example',
      payment: { provider: 'demo', status: 'pending' },
      refunds: [],
      refundedTotal: usd(0),
      accessToken: expect.stringMatching(/^[\w-]{27}$/),
    })
    expect(placed.headers['cache-control']).toBe('private, no-store')
    expect(shop.stock.available('var_m')).toBe(998)

    await paid(order.id)
    await waitFor('order.paid', async () => (await eventsOf(order.id)).paid.length > 0)
    const events = await eventsOf(order.id)
    const { accessToken: _secret, ...shown } = order
    const sold = { ...shown, optionNames: shown.lines.map(({ options }) => Object.keys(options)) }
    const isPaid = { status: 'paid', payment: { provider: 'demo', status: 'captured', method: 'demo' } }
    expect(events.paid).toEqual([
      { orderId: order.id, number: 'SF-10001', order: { ...sold, ...isPaid }, locale: 'en-US' },
    ])
    const claim = shop.stock.held().at(-1) ?? ''
    expect(events.placed).toEqual([
      {
        order: sold,
        cartId: cart.id,
        cartIds: [cart.id],
        lineIds: cart.lines.map(({ id }) => id),
        reservation: { id: claim.slice(0, claim.lastIndexOf('.')), claim },
        locale: 'en-US',
        unproven: { senders: [expect.stringMatching(/^browser:/), expect.stringMatching(/^address:/)] },
      },
    ])
    const read = await shop.call('GET', `/orders/${order.id}`, undefined, cookie(placed.browser))
    expect(orderOf(read)).toMatchObject({
      status: 'paid',
      payment: { provider: 'demo', status: 'captured', method: 'demo' },
    })
  })

  test('numbers orders in ascending order and never uses a number twice', async () => {
    const carts = Array.from({ length: 10 }, () => shop.addCart())
    const orders = (await Promise.all(carts.map(({ id }) => shop.checkOut(id)))).map(orderOf)
    const numbers = orders.map(({ number }) => Number(number.replace(/^SF-/, '')))
    expect(new Set(numbers).size).toBe(10)
    expect(Math.min(...numbers)).toBeGreaterThan(10_000)
    const next = orderOf(await shop.checkOut(shop.addCart().id))
    expect(Number(next.number.slice(3))).toBeGreaterThan(Math.max(...numbers))
  })

  test('gives the browser a cookie that no script can read', async () => {
    const { headers, browser } = await shop.checkOut(shop.addCart().id)
    expect(browser).toMatch(/^[\w-]{27}\.[\w-]{27}\.[\w+/]{43}$/)
    expect(String(headers['set-cookie'])).toMatch(/Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('records the customer, whose cart cannot be ordered by another customer', async () => {
    const ada = shop.suite.headers.customer('cus_ada')
    const { id } = shop.addCart({ var_m: 1 }, { customerId: 'cus_ada' })
    for (const outsider of [{}, shop.suite.headers.customer('cus_eve')]) {
      expect(errorOf(await shop.checkOut(id, BUYER, outsider))).toMatchObject({ status: 404, code: 'cart_not_found' })
    }
    const order = orderOf(await shop.checkOut(id, BUYER, ada))
    const [event] = await waitFor('order.placed', async () => {
      const { placed } = await eventsOf(order.id)
      return placed.length > 0 && placed
    })
    expect(event?.customerId).toBe('cus_ada')
  })

  test('with a text that is too long is rejected with its name and limit', async () => {
    const { id } = shop.addCart()
    const tooLong = { ...BUYER.shipping_address, name: 'x'.repeat(101) }
    expect(errorOf(await shop.checkOut(id, { ...BUYER, shipping_address: tooLong }))).toMatchObject({
      status: 422,
      code: 'validation_failed',
      message: 'Please shorten the name to at most 100 characters.',
      detail: { issues: [{ path: 'shipping_address.name', message: 'must have at most 100 characters' }] },
    })
    expect(errorOf(await shop.checkOut(id, { ...BUYER, gift_message: 'x'.repeat(501) })).message).toBe(
      'Please shorten the gift message to at most 500 characters.',
    )
  })

  test('by invoice waits for the merchant', async () => {
    const { id } = shop.addCart({ var_m: 1 }, { checkoutMode: 'api' })
    const order = orderOf(await shop.checkOut(id))
    expect(order.payment).toEqual({ provider: 'invoice', status: 'pending' })
    // A later order of the demo provider is paid; this one was skipped.
    await paid(orderOf(await shop.checkOut(shop.addCart().id)).id)
    expect(await shop.suite.sql('select status from orders.orders where id = $1', [order.id])).toEqual([
      { status: 'placed' },
    ])
  })

  test('in a mode that the service does not know reserves nothing', async () => {
    const { id } = shop.addCart({ var_m: 1 }, { checkoutMode: 'carrier-pigeon' })
    const before = shop.reservations()
    expect(errorOf(await shop.checkOut(id))).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(shop.reservations()).toBe(before)
  })
})

describe('the same cart', () => {
  test('checked out 8 times at once is one order, which all eight responses contain', async () => {
    const { id } = shop.addCart({ var_m: 7 })
    const before = shop.stock.available('var_m')
    // The browser has had its cookie since it requested the cart.
    const browser = cookie(newBrowser(shop))
    const responses = await Promise.all(Array.from({ length: 8 }, () => shop.checkOut(id, BUYER, browser)))
    const orders = responses.map(orderOf)
    expect(new Set(orders.map((order) => order.id)).size).toBe(1)
    expect(new Set(orders.map((order) => order.number)).size).toBe(1)
    expect(await ordersOf(id)).toHaveLength(1)
    expect(shop.stock.available('var_m')).toBe(before - 7)
    // Every browser that clicked may see the order, with the cookie and with the token in its response.
    for (const [index, response] of responses.entries()) {
      const path = `/orders/${orders[index]?.id}`
      expect(orderOf(await shop.call('GET', path, undefined, cookie(response.browser))).id).toBe(orders[0]?.id)
      const token = { 'x-order-token': orders[index]?.accessToken }
      expect(orderOf(await shop.call('GET', path, undefined, token)).id).toBe(orders[0]?.id)
    }
    await waitFor('the events', async () => (await eventsOf(orders[0]?.id ?? '')).paid.length > 0)
    expect((await eventsOf(orders[0]?.id ?? '')).placed).toHaveLength(1)
  })

  test('checked out at once from 8 browsers is one order, shown to those whose request was in time and to no other', async () => {
    const { id } = shop.addCart({ var_m: 7 })
    const responses = await Promise.all(Array.from({ length: 8 }, () => shop.checkOut(id)))
    const [order] = await ordersOf(id)
    expect(await ordersOf(id)).toHaveLength(1)
    const placed = responses.filter(({ status }) => status === 200)
    expect(new Set(placed.map((response) => orderOf(response).id))).toEqual(new Set([order?.id]))
    for (const late of responses.filter(({ status }) => status !== 200)) {
      expect(errorOf(late)).toMatchObject({ status: 404, code: 'not_found' })
    }
    for (const { browser, status } of responses) {
      expect((await shop.call('GET', `/orders/${order?.id}`, undefined, cookie(browser))).status).toBe(status)
    }
  })

  test('returns the same order to the same browser later, whatever it sends', async () => {
    const { id } = shop.addCart()
    const first = await shop.checkOut(id)
    const before = shop.reservations()
    for (const body of [BUYER, undefined, {}, { email: 'other@mail.example' }]) {
      const again = await shop.call('POST', `/carts/${id}/checkout`, body, cookie(first.browser))
      expect(orderOf(again)).toMatchObject({ id: orderOf(first).id, email: 'ada@mail.example' })
      const token = { 'x-order-token': orderOf(again).accessToken }
      expect((await shop.call('GET', `/orders/${orderOf(first).id}`, undefined, token)).status).toBe(200)
    }
    expect(shop.reservations()).toBe(before)
    expect(await ordersOf(id)).toHaveLength(1)
  })

  test('is not found for other callers', async () => {
    const { id } = shop.addCart()
    const { browser } = await shop.checkOut(id)
    const outsiders = [
      {},
      cookie(newBrowser(shop)),
      shop.suite.headers.customer('cus_eve'),
      { ...cookie(browser), ...shop.suite.headers.customer('cus_eve') },
    ]
    for (const outsider of outsiders) {
      expect(errorOf(await shop.checkOut(id, BUYER, outsider))).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  test('returns the same order to the customer who bought it, from any browser', async () => {
    const ada = shop.suite.headers.customer('cus_ada')
    const { id } = shop.addCart({ var_m: 1 }, { customerId: 'cus_ada' })
    const order = orderOf(await shop.checkOut(id, BUYER, ada))
    expect(orderOf(await shop.checkOut(id, BUYER, ada)).id).toBe(order.id)
  })

  test('that a customer bought a moment ago is not shown to an outsider who requested it at that moment', async () => {
    const { id } = shop.addCart({ var_m: 1 }, { customerId: 'cus_ada' })
    const ada = shop.suite.headers.customer('cus_ada')
    let bought: Promise<unknown> | undefined
    // The outsider found no order yet; while their request waits for the quote, the customer buys.
    shop.hooks.beforeQuote = async () => {
      shop.hooks.beforeQuote = undefined
      bought = shop.checkOut(id, BUYER, ada)
      await bought
    }
    const outsider = await shop.checkOut(id, BUYER, shop.suite.headers.customer('cus_eve'))
    expect(await bought).toMatchObject({ status: 200 })
    expect(errorOf(outsider)).toMatchObject({ status: 404, code: 'cart_not_found' })
  })

  test('that became an order while it was quoted returns that order', async () => {
    const cart = shop.addCart()
    let first: ReturnType<Shop['checkOut']> | undefined
    shop.hooks.beforeQuote = async () => {
      shop.hooks.beforeQuote = undefined
      first = shop.checkOut(cart.id)
      await first
      cart.error = new HttpError('cart_not_found', 'This cart no longer exists.')
    }
    const second = orderOf(await shop.checkOut(cart.id))
    expect(first && orderOf(await first).id).toBe(second.id)
  })
})

describe('a checkout of more than the stock', () => {
  test('names the short line, and the remaining quantity', async () => {
    shop.stock.set('var_few', 2)
    const cart = shop.addCart({ var_few: 3, var_m: 1 })
    const before = shop.stock.available('var_m')
    expect(errorOf(await shop.checkOut(cart.id))).toEqual({
      status: 409,
      code: 'out_of_stock',
      message: 'Only 2 left of Linen shirt, Sand, FEW.',
      detail: {
        lines: [
          {
            lineId: cart.lines[0]?.id,
            variantId: 'var_few',
            title: 'Linen shirt',
            options: { Color: 'Sand', Size: 'FEW' },
            wanted: 3,
            available: 2,
          },
        ],
      },
    })
    expect(shop.stock.available('var_m')).toBe(before)
    expect(await ordersOf(cart.id)).toEqual([])
  })

  test('reports a sold-out item', async () => {
    expect(errorOf(await shop.checkOut(shop.addCart({ var_none: 1 }).id))).toMatchObject({
      status: 409,
      code: 'out_of_stock',
      message: 'Linen shirt, Sand, NONE is sold out.',
    })
  })

  test('reports the number of items when there are several', async () => {
    shop.stock.set('var_few', 2)
    const cart = shop.addCart({ var_few: 3, var_m: 1, var_none: 1 })
    expect(errorOf(await shop.checkOut(cart.id))).toMatchObject({
      status: 409,
      code: 'out_of_stock',
      message: '2 items in your cart are no longer available in that quantity. Please check your cart.',
      detail: {
        lines: [
          { lineId: cart.lines[0]?.id, wanted: 3, available: 2 },
          { lineId: cart.lines[2]?.id, wanted: 1, available: 0 },
        ],
      },
    })
  })

  test('sells the last 7 to 7 of 40 concurrent buyers', async () => {
    shop.stock.set('var_hot', 7)
    const carts = Array.from({ length: 40 }, () => shop.addCart({ var_hot: 1 }))
    const responses = await Promise.all(carts.map(({ id }) => shop.checkOut(id)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(7)
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expect(errorOf(response)).toMatchObject({
        code: 'out_of_stock',
        detail: { lines: [{ wanted: 1, available: 0 }] },
      })
    }
  })

  test('can be repeated once there is enough stock', async () => {
    shop.stock.set('var_late', 0)
    const { id } = shop.addCart({ var_late: 1 })
    expect((await shop.checkOut(id)).status).toBe(409)
    shop.stock.set('var_late', 1)
    expect(orderOf(await shop.checkOut(id)).status).toBe('placed')
  })
})

describe('a checkout is rejected', () => {
  test('for its cart first, when its details are incomplete, too', async () => {
    const empty = new HttpError('empty_cart', 'Your cart is empty.')
    const { id } = shop.addCart({ var_m: 1 }, { error: empty })
    for (const body of [undefined, { email: 'ada@mail' }, { email: BUYER.email }]) {
      expect(errorOf(await shop.call('POST', `/carts/${id}/checkout`, body))).toMatchObject({
        status: 422,
        code: 'empty_cart',
      })
    }
    expect(errorOf(await shop.call('POST', '/carts/cart_nothing/checkout', {}))).toMatchObject({
      status: 404,
      code: 'cart_not_found',
    })
  })

  const missing = { status: 422, code: 'missing_fields' }
  const invalid = { status: 422, code: 'validation_failed' }
  const address = BUYER.shipping_address
  const allFields = ['name', 'line1', 'city', 'postalCode', 'country'].map((field) => `shipping_address.${field}`)

  test.each<[string, unknown, object]>([
    ['without a body', undefined, { status: 422, code: 'email_required' }],
    ['without an email address', { ...BUYER, email: undefined }, { status: 422, code: 'email_required' }],
    ['with a blank one', { ...BUYER, email: '  ' }, { status: 422, code: 'email_required' }],
    ['with an invalid one', { ...BUYER, email: 'ada@mail' }, { status: 422, code: 'invalid_email' }],
    ['with one that breaks a line', { ...BUYER, email: 'ada@mail.example\nbcc: a' }, { code: 'invalid_email' }],
    ['without an address', { email: BUYER.email }, { ...missing, detail: { fields: allFields } }],
    [
      'with an incomplete address',
      { ...BUYER, shipping_address: { ...address, line1: ' ', city: '' } },
      { ...missing, detail: { fields: ['shipping_address.line1', 'shipping_address.city'] } },
    ],
    [
      'with a name that shows nothing',
      { ...BUYER, shipping_address: { ...address, name: '\u200b \u00ad\u0301' } },
      { ...missing, detail: { fields: ['shipping_address.name'] } },
    ],
    ...['USA', 'Germany', '12', 'UK', 'ZZ', 'ßß'].map((country): [string, unknown, object] => [
      `with ${country} for a country`,
      { ...BUYER, shipping_address: { ...address, country } },
      {
        status: 422,
        code: 'undeliverable_country',
        message: 'Please choose the delivery country from the list.',
        detail: {
          country,
          issues: [
            {
              path: 'shipping_address.country',
              message: `must be an ISO 3166-1 alpha-2 code such as GB, not "${country}"`,
            },
          ],
        },
      },
    ]),
    ['with an address that is text', { ...BUYER, shipping_address: '1 Way' }, invalid],
    ['with an address that is null', { ...BUYER, shipping_address: null }, invalid],
    ['with a number for a name', { ...BUYER, shipping_address: { ...address, name: 7 } }, invalid],
    ['with a name of 400 characters', { ...BUYER, shipping_address: { ...address, name: 'x'.repeat(400) } }, invalid],
    ['with a NUL character', { ...BUYER, shipping_address: { ...address, name: 'a\0b' } }, invalid],
    ['with an email address that is a list', { ...BUYER, email: ['ada@mail.example'] }, invalid],
    ['with a method that is a number', { ...BUYER, shipping_method: 1 }, invalid],
    ['with a list for a body', [BUYER], invalid],
    ['with text for a body', 'buy', invalid],
  ])('%s', async (_what, body, expected) => {
    const { id } = shop.addCart()
    const before = shop.reservations()
    expect(errorOf(await shop.call('POST', `/carts/${id}/checkout`, body))).toMatchObject(expected)
    expect(shop.reservations()).toBe(before)
    expect(await ordersOf(id)).toEqual([])
  })

  test.each(['cart_00000000000000000000000000000000', 'nothing', 'x'.repeat(200)])(
    'for a cart that does not exist: %s',
    async (id) => {
      expect(errorOf(await shop.checkOut(id))).toMatchObject({ status: 404, code: 'cart_not_found' })
    },
  )

  test.each(['%00', 'x'.repeat(201), 'x'.repeat(3000), '%zz'])('for an invalid path: %s', async (id) => {
    const { status } = errorOf(await shop.checkOut(id))
    expect([404, 414, 422]).toContain(status)
  })

  test('for another total than the buyer has seen, and the same key may be used for the right one', async () => {
    const { id } = shop.addCart()
    const left = shop.stock.available('var_m')
    const once = { 'idempotency-key': id }
    const see = (total: unknown) => shop.checkOut(id, { ...BUYER, seen_total: total }, once)
    expect(errorOf(await see('49.20'))).toMatchObject(invalid)
    for (const seen of [usd(4919), { amount: 4920, currency: 'EUR' }]) {
      expect(errorOf(await see(seen))).toMatchObject({
        status: 409,
        code: 'conflict',
        message: expect.stringMatching(/Nothing was charged/),
      })
    }
    expect(await ordersOf(id)).toEqual([])
    expect(shop.stock.available('var_m')).toBe(left)
    const placed = orderOf(await see(usd(4920)))
    expect(placed.total).toEqual(usd(4920))
    expect(orderOf(await see(usd(4920))).id).toBe(placed.id)
    expect(errorOf(await see(usd(4921)))).toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('with the error of the cart', async () => {
    const codes = ['empty_cart', 'invalid_shipping_method', 'undeliverable_country', 'out_of_stock'] as const
    for (const code of codes) {
      const cartError = new HttpError(code, `The cart rejects this with ${code}.`, { detail: { from: 'cart' } })
      const { id } = shop.addCart({ var_m: 1 }, { error: cartError })
      const { status, message, detail } = cartError
      expect(errorOf(await shop.checkOut(id))).toEqual({ status, code, message, detail })
    }
  })

  test.each([
    ['bad_json', 400, '{', 'application/json'],
    ['unsupported_media_type', 415, 'email=a', 'application/x-www-form-urlencoded'],
    ['payload_too_large', 413, JSON.stringify({ ...BUYER, note: 'x'.repeat(1024 * 1024) }), 'application/json'],
  ])('with %s', async (code, status, payload, type) => {
    const url = `/carts/${shop.addCart().id}/checkout`
    const response = await shop.orders.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
    expect(errorOf({ status: response.statusCode, body: response.json() })).toMatchObject({ status, code })
  })

  test('for another method than POST, with the allowed one', async () => {
    const { status, headers } = await shop.call('GET', '/carts/cart_1/checkout')
    expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: 'POST' })
  })
})
