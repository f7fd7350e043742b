import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RedirectCheckout } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { BUYER, cookie, createShop, newBrowser, ANONYMOUS, orderOf, errorOf, type Shop } from './shop.ts'

interface Placed {
  id: string
  number: string
  browser: string | undefined
  token: string
}

const OTHER_BROWSER = 'x'.repeat(27)
let shop: Shop
let guest: Placed
let customer: Placed

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
  guest = await place()
  customer = await place('cus_ada')
})
afterAll(() => shop.stop())

async function place(customerId?: string): Promise<Placed> {
  const cart = shop.addCart({ var_m: 1 }, customerId === undefined ? {} : { customerId })
  const response = await shop.checkOut(cart.id, BUYER, customerId === undefined ? {} : as(customerId))
  const { id, number, accessToken = '' } = orderOf(response)
  return { id, number, browser: response.browser, token: accessToken }
}

const as = (customerId: string) => shop.suite.headers.customer(customerId)
const get = (path: string, headers: object) => shop.call('GET', `/orders/${path}`, undefined, headers)

/** The viewers, and the result for the order of a guest and for the order of customer Ada. */
const MATRIX: [who: string, headers: (order: Placed) => object, guestOrder: number, customerOrder: number][] = [
  ['an anonymous visitor', () => ANONYMOUS, 404, 404],
  ['another browser', () => cookie(newBrowser(shop)), 404, 404],
  ['a browser with a cookie that the shop did not make', () => cookie(OTHER_BROWSER), 404, 404],
  ['the browser that placed it', ({ browser }) => cookie(browser), 200, 200],
  ['a caller with its token', ({ token }) => ({ 'x-order-token': token }), 200, 200],
  ['a caller with an invalid token', () => ({ 'x-order-token': OTHER_BROWSER }), 404, 404],
  [
    'another browser with its token',
    ({ token }) => ({ ...cookie(newBrowser(shop)), 'x-order-token': token }),
    200,
    200,
  ],
  ['Ada', () => as('cus_ada'), 404, 200],
  ['another customer', () => as('cus_eve'), 404, 404],
  [
    'another customer in the browser that placed it',
    ({ browser }) => ({ ...as('cus_eve'), ...cookie(browser) }),
    404,
    404,
  ],
  ['another customer with its token', ({ token }) => ({ ...as('cus_eve'), 'x-order-token': token }), 404, 404],
  ['a forged actor', () => ({ 'x-actor': 'forged.token' }), 404, 404],
  ['an admin without its secret', () => shop.suite.headers.admin(), 404, 404],
]

describe('an order page', () => {
  test.each(MATRIX)('requested by %s', async (_who, headers, guestOrder, customerOrder) => {
    for (const [order, status] of [
      [guest, guestOrder],
      [customer, customerOrder],
    ] as const) {
      for (const path of [order.id, order.number, order.number.toLowerCase()]) {
        const response = await get(path, headers(order))
        expect(response.status, path).toBe(status)
        // The response is either the order, or exactly that for an order that never existed.
        const shown = status === 200 ? orderOf(response).id : errorOf(response)
        expect(shown).toEqual(status === 200 ? order.id : errorOf(await get('order_nothing', ANONYMOUS)))
        expect(response.headers['cache-control']).toBe('private, no-store')
      }
    }
  })

  test('opens with its token in the URL, and with no other', async () => {
    for (const order of [guest, customer]) {
      expect((await get(`${order.id}?token=${order.token}`, ANONYMOUS)).status).toBe(200)
      expect((await get(`${order.id}?token=${order.token}`, as('cus_eve'))).status).toBe(404)
    }
    expect((await get(`${guest.id}?token=${customer.token}`, ANONYMOUS)).status).toBe(404)
    expect((await get(`${guest.id}?token=`, ANONYMOUS)).status).toBe(404)
    expect((await get(`${guest.id}?token=${OTHER_BROWSER}`, ANONYMOUS)).status).toBe(404)
  })

  test('opens for one browser only the orders that were placed in it', async () => {
    const { id: first } = shop.addCart()
    const { id: second } = shop.addCart()
    const placed = await shop.checkOut(first)
    const again = await shop.checkOut(second, BUYER, cookie(placed.browser))
    for (const response of [placed, again]) {
      expect((await get(orderOf(response).id, cookie(again.browser))).status).toBe(200)
    }
    expect((await get(guest.id, cookie(again.browser))).status).toBe(404)
  })

  test('never shows the reference of the payment, nor the token again', async () => {
    await waitFor('the payment', async () => orderOf(await get(guest.id, cookie(guest.browser))).status === 'paid')
    const [stored] = await shop.suite.sql<{ reference: string }>(
      'select payment_reference as reference from orders.orders where id = $1',
      [guest.id],
    )
    expect(stored?.reference).toBe(`demo_${guest.id}`)
    const shown = [
      await get(guest.id, cookie(guest.browser)),
      await get(customer.id, as('cus_ada')),
      await shop.call('GET', '/orders', undefined, as('cus_ada')),
    ]
    for (const { status, body } of shown) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toMatch(/reference|demo_order|accessToken|"claim"|locale/)
    }
  })

  test('stores no secret that could be read from the database', async () => {
    // As text, in which bytes are hexadecimal.
    const rows = await shop.suite.sql('select c::text as row from orders.order_capabilities c')
    expect(rows).not.toEqual([])
    const kept = JSON.stringify(rows)
    for (const secret of [guest.browser, guest.token, customer.token]) {
      expect(kept).not.toContain(secret)
      expect(kept).not.toContain(Buffer.from(secret ?? '').toString('hex'))
    }
  })
})

describe('an invalid order page', () => {
  test('is not found, however long its path is', async () => {
    for (const path of ['x'.repeat(201), `${guest.id}?token=${'x'.repeat(1000)}`]) {
      expect(errorOf(await get(path, ANONYMOUS))).toEqual(errorOf(await get('order_nothing', ANONYMOUS)))
    }
  })

  test.each(['nothing', 'SF-99999', "SF-10001' or '1'='1", '%00', '%zz', 'x'.repeat(201), 'x'.repeat(3000)])(
    'is rejected with JSON: %s',
    async (path) => {
      const { status } = errorOf(await get(path, cookie(guest.browser)))
      expect([404, 414, 422]).toContain(status)
    },
  )

  test('is rejected for an invalid token or cookie', async () => {
    for (const token of ['a%00b', 'x'.repeat(300), '%zz', "' or 1=1 --", '[]']) {
      const { status } = errorOf(await get(`${guest.id}?token=${token}`, ANONYMOUS))
      expect([404, 422]).toContain(status)
    }
    for (const text of [
      'store_browser',
      'store_browser=',
      'store_browser=%zz',
      'store_browser="',
      ';;;=',
      'x'.repeat(5000),
    ]) {
      expect(errorOf(await get(guest.id, { cookie: text })).status).toBe(404)
    }
  })

  test('is rejected for another method, with the allowed ones', async () => {
    const { status, headers } = await shop.call('PATCH', `/orders/${guest.id}`, {}, cookie(guest.browser))
    expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: 'GET' })
  })
})

describe('a planted cookie', () => {
  test('opens nothing that is granted to its browser later, by its id or its number', async () => {
    // An attacker gets the planted cookie from this shop: it is signed, and may have placed orders.
    const planted = (await shop.checkOut(shop.addCart().id)).browser
    const placed = await shop.checkOut(shop.addCart().id, BUYER, cookie(planted))
    const found = await shop.call(
      'POST',
      '/orders/lookup',
      { number: guest.number, email: BUYER.email },
      cookie(planted),
    )
    const page = await shop.checkOut(
      shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect' }).id,
      BUYER,
      cookie(planted),
    )
    const { id: session } = RedirectCheckout.parse(page.body)
    for (const { id, number } of [orderOf(placed), orderOf(found)]) {
      expect((await get(id, cookie(planted))).status).toBe(404)
      expect((await get(number, cookie(planted))).status).toBe(404)
    }
    expect((await get(orderOf(placed).id, cookie(placed.browser))).status).toBe(200)
    expect((await get(guest.id, cookie(found.browser))).status).toBe(200)
    const sessionFor = async (browser: string | undefined) =>
      (await shop.call('GET', `/checkout/sessions/${session}`, undefined, cookie(browser))).status
    expect(await sessionFor(planted)).toBe(404)
    expect(await sessionFor(page.browser)).toBe(200)
    // Nor does an order that the browser itself places afterwards.
    const own = await shop.checkOut(shop.addCart().id, BUYER, cookie(planted))
    expect((await get(orderOf(placed).id, cookie(own.browser))).status).toBe(404)
  })

  test('is replaced when the shop did not sign it', async () => {
    const [name = '', secret = ''] = (guest.browser ?? '').split('.')
    for (const forged of [`${name}.${secret}`, `${name}.${secret}.${'s'.repeat(43)}`, secret]) {
      const { browser } = await shop.checkOut(shop.addCart().id, BUYER, cookie(forged))
      expect(browser).not.toContain(name)
      expect(browser).not.toContain(secret)
    }
  })
})

describe('the cookie of a browser', () => {
  test('opens what the previous ones opened, for fifty orders', async () => {
    let browser: string | undefined = newBrowser(shop)
    const orders: string[] = []
    for (let each = 0; each < 51; each++) {
      const placed = await shop.checkOut(shop.addCart().id, BUYER, cookie(browser))
      orders.unshift(orderOf(placed).id)
      browser = placed.browser
    }
    const statuses = await Promise.all(orders.map(async (id) => (await get(id, cookie(browser))).status))
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 200), 404])
    expect(encodeURIComponent(browser ?? '').length).toBeLessThan(2000)
  })

  test('is the same after a repeated checkout, and after a repeated lookup', async () => {
    const { id } = shop.addCart()
    const placed = await shop.checkOut(id)
    expect((await shop.checkOut(id, BUYER, cookie(placed.browser))).browser).toBe(placed.browser)
    const lookUp = (browser: string | undefined) =>
      shop.call('POST', '/orders/lookup', { number: guest.number, email: BUYER.email }, cookie(browser))
    const found = await lookUp(placed.browser)
    expect(found.browser).not.toBe(placed.browser)
    expect((await lookUp(found.browser)).browser).toBe(found.browser)
  })

  test('is not rotated by a checkout that grants nothing', async () => {
    expect((await shop.checkOut('cart_nothing', BUYER, cookie(guest.browser))).headers['set-cookie']).toBeUndefined()
  })
})
