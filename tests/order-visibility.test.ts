import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Order } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { waitForLink } from './support/mails.ts'
import { waitForPayment } from './support/paid-order.ts'
import { openShop, type TestShop } from './support/shop.ts'
import type { TestResponse, TestClient } from './support/test-client.ts'

let shop: TestShop
let variantId: string

beforeAll(async () => {
  shop = await openShop()
  variantId = (await shop.stockProduct('visible-shirt', 100)).variants[0]?.id ?? ''
})

afterAll(() => shop.stop())

async function customer(email: string): Promise<TestClient> {
  const client = shop.client()
  await client.register(email)
  return client
}

async function buyAs(client: TestClient, email: string): Promise<Order & { accessToken: string }> {
  const order = await client.buy(variantId, 1, email)
  return { ...order, accessToken: order.accessToken ?? '' }
}

/** An error without the id of its request. */
function errorOf({ status, body }: TestResponse): unknown {
  const { requestId: _requestId, ...rest } = Object(body)
  return { status, ...rest }
}

const NOT_FOUND = { status: 404, code: 'not_found', message: 'We could not find this order.' }

/** Reads an order by its id and by its number, which are visible to the same callers. */
async function look(client: TestClient, { id, number }: Order, query = '', headers = {}): Promise<TestResponse[]> {
  const paths = [id, number].map((name) => `/orders/${encodeURIComponent(name)}${query}`)
  return Promise.all(paths.map((path) => client.call('GET', path, undefined, headers)))
}

async function expectOpen(client: TestClient, order: Order, query = '', headers = {}): Promise<void> {
  for (const { status, body } of await look(client, order, query, headers)) {
    expect(status, JSON.stringify(body)).toBe(200)
    const seen = Order.parse(body)
    expect(seen).toMatchObject({ id: order.id, number: order.number, email: order.email, lines: order.lines })
    expect(seen).not.toHaveProperty('accessToken')
    expect(seen.payment).not.toHaveProperty('reference')
  }
}

/** Expects 404 and never 403, with the same text as for an order that does not exist. */
async function expectClosed(client: TestClient, order: Order, query = '', headers = {}): Promise<void> {
  const unknown = await client.get('/orders/order_00000000000000000000000000000000')
  expect(errorOf(unknown)).toEqual(NOT_FOUND)
  for (const response of await look(client, order, query, headers)) {
    expect(errorOf(response)).toEqual(NOT_FOUND)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  }
}

describe('an order of a customer', () => {
  test('is visible to the customer only, on every device, and to their browser after sign-out', async () => {
    const buyer = await customer('owner@visible.example')
    const order = await buyAs(buyer, 'another-address@visible.example')
    await expectOpen(buyer, order)
    expect(await buyer.orders()).toMatchObject({ total: 1, items: [{ id: order.id }] })

    const elsewhere = shop.client()
    await expectClosed(elsewhere, order)
    elsewhere.token = buyer.token
    await expectOpen(elsewhere, order)

    const outsider = await customer('stranger@visible.example')
    await expectClosed(outsider, order)
    expect(await outsider.orders()).toMatchObject({ total: 0, items: [] })

    // Another customer signs in at this browser: the session takes precedence over the browser.
    const token = buyer.token
    buyer.token = outsider.token
    await expectClosed(buyer, order)
    expect(await buyer.orders()).toMatchObject({ total: 0 })
    buyer.token = undefined
    await expectOpen(buyer, order)
    // A session that has ended counts as none.
    buyer.token = token
    expect((await buyer.post('/auth/logout')).status).toBe(200)
    await expectOpen(buyer, order)
    expect(await buyer.get('/orders')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })
})

describe('an order of a guest', () => {
  test('is visible to the browser that placed it, and with its token', async () => {
    const guest = shop.client()
    const order = await buyAs(guest, 'guest@visible.example')
    const other = await buyAs(shop.client(), 'guest@visible.example')
    await expectOpen(guest, order)
    await expectClosed(guest, other)

    const outsider = shop.client()
    await expectClosed(outsider, order)
    await expectOpen(outsider, order, '', { 'x-order-token': order.accessToken })
    await expectOpen(outsider, order, `?token=${order.accessToken}`)
    // A token gives access to its own request only.
    await expectClosed(outsider, order)
    for (const wrong of [other.accessToken, order.accessToken.slice(1), `${order.accessToken}x`, 'x', '']) {
      await expectClosed(outsider, order, `?token=${wrong}`)
      await expectClosed(outsider, order, '', { 'x-order-token': wrong })
    }
  })

  test('is not visible to a signed-in customer, even with the browser or the token', async () => {
    const guest = shop.client()
    const order = await buyAs(guest, 'closed@visible.example')
    const session = await customer('session@visible.example')
    guest.token = session.token
    await expectClosed(guest, order)
    await expectClosed(guest, order, `?token=${order.accessToken}`)
    await expectClosed(guest, order, '', { 'x-order-token': order.accessToken })
    // An invalid session does not take away the access of the browser.
    guest.token = 'expired'
    await expectOpen(guest, order)
  })

  test('moves to the account with its address when the address is verified, and not before', async () => {
    const email = 'proved@visible.example'
    const guest = shop.client()
    const before = await buyAs(guest, 'Proved@Visible.Example')
    const account = await customer(email)
    await expectClosed(account, before)
    expect(await account.orders()).toMatchObject({ total: 0, items: [] })

    const token = await waitForLink(shop, email, '/auth/email/verify')
    expect((await account.post('/auth/email/verify', { token })).body).toEqual({ ok: true })
    await waitFor('the order to be in the account', async () => (await account.orders()).total === 1)
    await expectOpen(account, before)
    const after = await buyAs(shop.client(), email)
    expect((await account.orders()).items.map(({ id }) => id)).toEqual([after.id, before.id])
    await expectOpen(guest, before)
    const other = await customer('other@visible.example')
    await expectClosed(other, before)
  })
})

describe('a lookup', () => {
  test('makes the order visible to this browser, and with the token of its response', async () => {
    const order = await buyAs(shop.client(), 'found@visible.example')
    const browser = shop.client()
    await expectClosed(browser, order)
    const body = { number: ` ${order.number.toLowerCase()} `, email: ' FOUND@visible.example ' }
    const found = Order.parse((await browser.post('/orders/lookup', body)).body)
    expect(found).toMatchObject({ id: order.id, number: order.number, lines: order.lines })
    await expectOpen(browser, order)
    await expectOpen(shop.client(), order, '', { 'x-order-token': found.accessToken })
    const byId = await shop.client().post('/orders/lookup', { number: order.id, email: order.email })
    expect(byId.body).toMatchObject({ id: order.id })
  })

  test('fails with the same error for any wrong value, sets no cookie, and requires both fields', async () => {
    const order = await buyAs(shop.client(), 'right@visible.example')
    const other = await buyAs(shop.client(), 'wrong@visible.example')
    const browser = shop.client()
    for (const [number, email] of [
      [order.number, other.email],
      ['SF-99999999', order.email],
      ['SF-99999999', 'nobody@visible.example'],
      [order.number, 'not an address'],
      ['%', '%'],
    ]) {
      const response = await browser.post('/orders/lookup', { number, email })
      expect(errorOf(response)).toEqual(NOT_FOUND)
      expect(response.headers.getSetCookie()).toEqual([])
    }
    await expectClosed(browser, order)
    for (const [body, fields] of [
      [{ number: order.number }, ['email']],
      [{ email: order.email, number: ' ' }, ['number']],
      [{}, ['number', 'email']],
      [undefined, ['number', 'email']],
    ]) {
      const response = await browser.post('/orders/lookup', body)
      expect(response).toMatchObject({ status: 422, body: { code: 'missing_fields', detail: { fields } } })
    }
  })
})

describe('the merchant', () => {
  test('sees every order under /admin, with the reference of its payment, and none as a shopper', async () => {
    const order = await buyAs(shop.client(), 'seen@visible.example')
    await expectClosed(shop.admin, order)
    const paid = await waitForPayment(shop.admin, `/admin/orders/${order.id}`)
    expect(paid.payment.reference).toEqual(expect.stringMatching(/./))
    expect((await shop.admin.get(`/admin/orders/${order.number}`)).body).toEqual(paid)
    expect((await shop.admin.get(`/admin/orders?q=${order.number}`)).body).toMatchObject({ total: 1, items: [paid] })
    expect(errorOf(await shop.admin.get('/admin/orders/SF-99999999'))).toEqual(NOT_FOUND)

    const buyer = await customer('not-an-admin@visible.example')
    const own = await buyAs(buyer, 'not-an-admin@visible.example')
    expect(await buyer.get(`/admin/orders/${own.id}`)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const anonymous = await shop.client().get(`/admin/orders/${own.id}`)
    expect(anonymous).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  test('cannot open an order that they placed for a cart on the routes of shoppers', async () => {
    const cart = await shop.client().cartWith(variantId)
    const placed = await shop.admin.post('/admin/orders', { cart_id: cart.id, email: 'for@visible.example' })
    expect(placed).toMatchObject({ status: 200, body: { created: true, email: 'for@visible.example' } })
    expect(placed.body).not.toHaveProperty('accessToken')
    const browser = shop.admin
    const { token } = browser
    browser.token = undefined
    try {
      await expectClosed(browser, Order.parse(placed.body))
    } finally {
      browser.token = token
    }
  })
})

describe('where lookups are limited', () => {
  const PER_ADDRESS = 25
  const PER_ORDER = 20
  let limited: TestShop

  beforeAll(async () => {
    limited = await openShop({ env: { RATE_LIMIT_LOOKUP: String(PER_ADDRESS) } })
  })
  afterAll(() => limited.stop())

  test('guesses at one order and lookups of one address end with 429, and unknown orders look the same', async () => {
    const variant = (await limited.stockProduct('limited-shirt', 5)).variants[0]?.id ?? ''
    const order = await limited.client().buy(variant)
    const send = (number: string) => limited.client().post('/orders/lookup', { number, email: 'eve@visible.example' })
    for (let count = 0; count < PER_ORDER; count++) expect(errorOf(await send(order.number))).toEqual(NOT_FOUND)
    for (const number of [order.number, ` ${order.number.toLowerCase()}`]) {
      const reply = await send(number)
      expect(reply).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(60)
    }
    for (let count = PER_ORDER + 2; count < PER_ADDRESS; count++) expect((await send('SF-99999999')).status).toBe(404)
    const reply = await send('SF-99999998')
    expect(reply).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    // The limit does not affect a buyer who has the token.
    expect((await limited.client().get(`/orders/${order.id}?token=${order.accessToken}`)).status).toBe(200)
  })
})
