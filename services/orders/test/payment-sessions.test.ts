import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { amount, waitFor } from '@storefront/tools/testing'
import { ADDED_KEY_HEADER, CheckoutSession, RazorpayCheckout, REPEATED_HEADER } from '@storefront/contracts'
import { ProviderRejection, ProviderUnavailable } from '../src/payments/provider.ts'
import { inspectEndedSessions } from '../src/reconciliation/inspect-ended-sessions.ts'
import { endDueSessionsOnce } from '../src/sessions/end-due-sessions.ts'
import { pageOf, paymentUpdate, payAtStripe } from './payment-pages.ts'
import { BUYER, cookie, createShop, orderOf, errorOf, usd, type Shop, type TestResponse } from './shop.ts'

let shop: Shop
const ORIGINS = 'https://shop.example, https://bücher.example'

beforeAll(async () => {
  shop = await createShop({ env: { STOREFRONT_ORIGINS: ORIGINS, STOREFRONT_URL: 'https://www.shop.example/store' } })
})
afterAll(() => shop.stop())

beforeEach(() => shop.stock.set('var_m', 10))
afterEach(() => shop.reset())

const redirect = { checkoutMode: 'redirect', checkoutProvider: 'stripe' }
const rowOf = async (id: string) => {
  const [row] = await shop.suite.sql<{ status: string; claim: string; discount_claim: string | null }>(
    'select status, claim, discount_claim from orders.payment_sessions where id = $1',
    [id],
  )
  return row
}
const sessionsOf = (cartId: string) =>
  shop.suite.sql('select id from orders.payment_sessions where cart_id = $1', [cartId])
const verdictOf = async (claim: string | null | undefined) => {
  const [row] = await shop.suite.sql<{ verdict: string }>('select verdict from orders.claims where claim = $1', [claim])
  return row?.verdict
}
const changed = { ...BUYER, email: 'eve@mail.example' }

describe('a checkout at a provider', () => {
  test('returns the page, and reserves the goods without an order', async () => {
    const cart = shop.addCart({ var_m: 2 }, { ...redirect, discount: 'use_a' })
    const success = 'https://shop.example/done?order={ORDER_ID}'
    const response = await shop.checkOut(cart.id, { ...BUYER, currency: 'usd', success_url: success })
    const page = pageOf(response)
    expect(page).toEqual({
      url: `https://pay.example/stripe/${page.id}`,
      id: expect.stringMatching(/^pay_[0-9a-f]{36}$/),
      accessToken: expect.stringMatching(/^[\w-]{27}$/),
    })
    const [opened] = shop.providers.stripe.opened
    expect(opened).toMatchObject({ id: page.id, total: usd(8920), email: BUYER.email, storeName: 'Shop' })
    expect(opened?.successUrl).toBe(`https://shop.example/done?order=${opened?.orderId}`)
    expect(shop.stock.available('var_m')).toBe(8)
    expect(shop.quotes.at(-1)?.hold).toEqual({ email: BUYER.email, ttlSeconds: 1920 })
    expect(await shop.suite.sql('select from orders.orders where cart_id = $1', [cart.id])).toEqual([])
    expect(await rowOf(page.id)).toMatchObject({ status: 'open', discount_claim: 'use_a.1' })
  })

  test('by POST /checkout/sessions is the same call', async () => {
    const cart = shop.addCart({ var_m: 1 }, redirect)
    const first = pageOf(await shop.call('POST', '/checkout/sessions', { ...BUYER, cart_id: cart.id }))
    expect(pageOf(await shop.checkOut(cart.id)).id).toBe(first.id)
    for (const body of [BUYER, undefined]) {
      expect(errorOf(await shop.call('POST', '/checkout/sessions', body))).toMatchObject({
        status: 422,
        code: 'validation_failed',
      })
    }
  })

  test('in the mode razorpay returns the parameters of its form', async () => {
    const cart = shop.addCart({ var_m: 1 }, { checkoutMode: 'razorpay' })
    const response = await shop.checkOut(cart.id)
    const [opened] = shop.providers.razorpay.opened
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      razorpay_order_id: `razorpay_of_${opened?.id}`,
      amount: 4920,
      currency: 'USD',
      key_id: 'rzp_test_key',
    })
    expect(RazorpayCheckout.parse((await shop.checkOut(cart.id)).body)).toEqual(response.body)
  })

  test('can be read by the caller who started it, and by no other', async () => {
    const { id } = shop.addCart({ var_m: 1 }, redirect)
    const response = await shop.checkOut(id)
    const page = pageOf(response)
    const look = async (headers: object, token = '') =>
      (await shop.call('GET', `/checkout/sessions/${page.id}${token}`, undefined, headers)).status
    expect(await look(cookie(response.browser))).toBe(200)
    expect(await look({ 'x-order-token': page.accessToken })).toBe(200)
    expect(await look({}, `?token=${page.accessToken}`)).toBe(200)
    expect(await look({})).toBe(404)
    expect(await look(cookie('x'.repeat(27)))).toBe(404)
    expect(await look({ ...cookie(response.browser), ...shop.suite.headers.customer('cus_eve') })).toBe(404)

    const ada = shop.suite.headers.customer('cus_ada')
    const adaCart = shop.addCart({ var_m: 1 }, { ...redirect, customerId: 'cus_ada' })
    const adaPage = pageOf(await shop.checkOut(adaCart.id, BUYER, ada))
    const path = `/checkout/sessions/${adaPage.id}`
    expect(CheckoutSession.parse((await shop.call('GET', path, undefined, ada)).body)).toEqual({
      id: adaPage.id,
      status: 'open',
    })
    expect((await shop.call('GET', path, undefined, shop.suite.headers.customer('cus_eve'))).status).toBe(404)
  })
})

describe('nothing is held', () => {
  test.each([
    ['for an unknown provider', { checkoutMode: 'redirect', checkoutProvider: 'pigeon' }],
    ['for one that has a form and no page', { checkoutMode: 'redirect', checkoutProvider: 'razorpay' }],
    ['for one that is not configured', redirect],
  ])('%s', async (_what, mode) => {
    shop.providers.stripe.configured = false
    const { id } = shop.addCart({ var_m: 1 }, { ...mode, discount: `use_${mode.checkoutProvider}` })
    const before = shop.reservations()
    expect(errorOf(await shop.checkOut(id))).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      detail: { mode: 'redirect', provider: mode.checkoutProvider },
    })
    expect(shop.reservations()).toBe(before)
    expect(shop.released.at(-1)).toBe(`use_${mode.checkoutProvider}.1`)
    expect(await verdictOf(`use_${mode.checkoutProvider}.1`)).toBe('abandoned')
  })

  test("for another currency than the store's", async () => {
    const { id } = shop.addCart({ var_m: 1 }, { ...redirect, discount: 'use_eur' })
    expect(errorOf(await shop.checkOut(id, { ...BUYER, currency: 'EUR' }))).toMatchObject({
      status: 422,
      code: 'currency_mismatch',
    })
    expect(shop.quotes.filter((request) => request.cartId === id && request.hold)).toEqual([])
  })

  test.each(['javascript:alert(1)', '/done', 'https://ada:secret@shop.example/', 'ftp://shop.example/', ''])(
    'for an invalid success page: %s',
    async (success_url) => {
      const { id } = shop.addCart({ var_m: 1 }, redirect)
      expect(errorOf(await shop.checkOut(id, { ...BUYER, success_url }))).toMatchObject({
        status: 422,
        code: 'validation_failed',
      })
      expect(shop.quotes.filter((request) => request.cartId === id)).toEqual([])
    },
  )
})

describe('the page that the buyer returns to', () => {
  test.each([
    'https://evil.example/{ORDER_ID}',
    'https://shop.example.evil.example/',
    'https://sub.shop.example/',
    'http://shop.example/',
    'https://shop.example:8443/',
    'https:\\\\evil.example\\shop.example',
    'https://evil.example/?https://shop.example/',
    'https://evil.example#@shop.example/',
    'http://localhost:8080/',
  ])('is rejected when it belongs to another origin than the storefront: %s', async (foreign) => {
    const own = 'https://shop.example/{ORDER_ID}'
    for (const [field, pages] of [
      ['success_url', { success_url: foreign, cancel_url: own }],
      ['cancel_url', { success_url: own, cancel_url: foreign }],
    ] as const) {
      const { id } = shop.addCart({ var_m: 1 }, redirect)
      const responses = [
        await shop.checkOut(id, { ...BUYER, ...pages }),
        await shop.call('POST', '/checkout/sessions', { ...BUYER, ...pages, cart_id: id }),
      ]
      for (const response of responses) {
        expect(errorOf(response)).toMatchObject({
          status: 422,
          code: 'validation_failed',
          detail: { issues: [{ path: field, message: expect.stringContaining('https://shop.example') }] },
        })
      }
      expect(shop.stock.available('var_m')).toBe(10)
      expect(shop.providers.stripe.opened).toEqual([])
    }
  })

  test('may belong to any origin where the buyer does not leave the storefront, and is not used', async () => {
    const { id } = shop.addCart({ var_m: 1 })
    const foreign = { ...BUYER, success_url: 'https://evil.example/', cancel_url: 'https://evil.example/' }
    const response = await shop.checkOut(id, foreign)
    const again = await shop.checkOut(id, foreign, cookie(response.browser))
    expect(orderOf(again).id).toBe(orderOf(response).id)
    for (const { body } of [response, again]) expect(body).not.toHaveProperty('url')
  })

  test('is rejected before a free order is placed, whose buyer is led back, too', async () => {
    const { id } = shop.addCart({ var_m: 1 }, { isFree: true })
    const rejected = await shop.checkOut(id, { ...BUYER, success_url: 'https://evil.example/' })
    expect(errorOf(rejected)).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(orderOf(await shop.checkOut(id)).status).toBe('paid')
  })

  test('is rejected also when the cart was already ordered on the page of a provider', async () => {
    const { id } = shop.addCart({ var_m: 1 }, redirect)
    const response = await shop.checkOut(id)
    await payAtStripe(shop, pageOf(response).id, 'pi_before')
    const foreign = { ...BUYER, success_url: 'https://evil.example/' }
    const again = await shop.checkOut(id, foreign, cookie(response.browser))
    expect(errorOf(again)).toMatchObject({ status: 422, code: 'validation_failed' })
  })

  const sentFor = async (url: string) => {
    const { id } = shop.addCart({ var_m: 1 }, redirect)
    pageOf(await shop.checkOut(id, { ...BUYER, success_url: url, cancel_url: url }))
    const opened = shop.providers.stripe.opened.at(-1)
    expect(opened?.cancelUrl).toBe(opened?.successUrl)
    return opened?.successUrl?.replaceAll(opened.orderId, 'ORDER')
  }

  test.each([
    [
      'https://shop.example/{ORDER_ID}/thanks?o={ORDER_ID}#{ORDER_ID}',
      'https://shop.example/ORDER/thanks?o=ORDER#ORDER',
    ],
    // As `new URL()` writes the placeholder, and as other encoders do.
    ['https://shop.example/%7BORDER_ID%7D?o=%7bORDER_ID%7d', 'https://shop.example/ORDER?o=ORDER'],
    ['https://shop.example/%7bORDER_ID%7D?o={ORDER_ID%7D', 'https://shop.example/ORDER?o=ORDER'],
    ['https://shop.example/?o=%7Border_id%7D', 'https://shop.example/?o=%7Border_id%7D'],
    ['https://shop.example/a\r\nSet-Cookie: x=1', 'https://shop.example/aSet-Cookie:%20x=1'],
    ['https:\\\\shop.example\\done"><script>', 'https://shop.example/done%22%3E%3Cscript%3E'],
    ['https://bücher.example/größe', 'https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe'],
    ['https://www.shop.example/bag', 'https://www.shop.example/bag'],
    ['HTTPS://SHOP.EXAMPLE:443/bag', 'https://shop.example/bag'],
  ])('is sent to the provider in its encoded form: %j', async (given, sent) => {
    expect(await sentFor(given)).toBe(sent)
  })

  test.each([
    ['javascript:alert(1)//https://shop.example'],
    [' java\tscript:alert(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['https://shop.example:pw@evil.example/'],
    ['//evil.example/'],
    ['http://'],
    [`https://shop.example/${'x'.repeat(2000)}`],
    [`https://shop.example/${'字'.repeat(500)}`],
  ])('is invalid: %j', async (cancel_url) => {
    const { id } = shop.addCart({ var_m: 1 }, redirect)
    expect(errorOf(await shop.checkOut(id, { ...BUYER, cancel_url }))).toMatchObject({
      status: 422,
      code: 'validation_failed',
    })
  })
})

describe('while a provider does not respond', () => {
  // Several times as many as the service has connections to its database.
  const waiting = amount({ quick: 50, long: 200 })

  test(`${waiting} waiting checkouts do not block other requests`, async () => {
    shop.stock.set('var_m', 1000)
    const { promise: result, resolve } = Promise.withResolvers<void>()
    shop.providers.stripe.beforeOpened = () => result
    const carts = Array.from({ length: waiting }, () => shop.addCart({ var_m: 1 }, redirect))
    const pages = Promise.all(carts.map(({ id }) => shop.checkOut(id)))
    await waitFor('all requests at the provider', async () => shop.providers.stripe.opened.length === waiting)
    const order = orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api' }).id))
    expect(order.status).toBe('placed')
    // Waiting checkouts would keep theirs; that of a timer may be idle for a moment on a busy machine.
    const idleTransactions = () =>
      shop.suite.sql(
        `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
           and state_change < now() - interval '200 ms'`,
      )
    await expect.poll(idleTransactions, { timeout: 60_000 }).toEqual([])
    resolve()
    expect((await pages).map(({ status }) => status)).toEqual(carts.map(() => 200))
  })
})

describe('a repeated checkout of the same cart', () => {
  test('gets the same page, and the second browser may see the session', async () => {
    const { id } = shop.addCart({ var_m: 1 }, redirect)
    const first = pageOf(await shop.checkOut(id))
    const again = await shop.checkOut(id)
    const second = pageOf(again)
    expect(second).toMatchObject({ id: first.id, url: first.url })
    expect(shop.providers.stripe.opened).toHaveLength(1)
    for (const headers of [cookie(again.browser), { 'x-order-token': first.accessToken }]) {
      expect((await shop.call('GET', `/checkout/sessions/${first.id}`, undefined, headers)).status).toBe(200)
    }
  })

  test('with too little time left gets a new page', async () => {
    const { id } = shop.addCart({ var_m: 1 }, redirect)
    const first = pageOf(await shop.checkOut(id))
    await shop.suite.sql(`update orders.payment_sessions set expires_at = now() + interval '4 minutes' where id = $1`, [
      first.id,
    ])
    const second = pageOf(await shop.checkOut(id))
    expect(second.id).not.toBe(first.id)
    expect((await rowOf(first.id))?.status).toBe('superseded')
  })

  test('with other details gets another page; the first is closed, and the goods move to the second', async () => {
    const { id } = shop.addCart({ var_m: 3 }, { ...redirect, discount: 'use_over' })
    const first = pageOf(await shop.checkOut(id))
    const second = pageOf(await shop.checkOut(id, changed))
    expect(second.id).not.toBe(first.id)
    expect((await rowOf(first.id))?.status).toBe('superseded')
    expect(shop.providers.stripe.closed).toEqual([`stripe_of_${first.id}`])
    expect(shop.stock.available('var_m')).toBe(7)
    expect(await verdictOf((await rowOf(second.id))?.claim)).toBeUndefined()
    expect(await verdictOf('use_over.1')).toBeUndefined()
  })

  test('with other details gets another page while the provider does not close the first', async () => {
    const { id } = shop.addCart({ var_m: 3 }, redirect)
    const first = pageOf(await shop.checkOut(id))
    const closing = Promise.withResolvers<void>()
    shop.providers.stripe.beforeClosed = () => closing.promise
    const second = pageOf(await shop.checkOut(id, changed))
    expect(second.id).not.toBe(first.id)
    expect(shop.providers.stripe.closed).toEqual([`stripe_of_${first.id}`])
    closing.resolve()
  })

  test('that is short of goods says so although its cart is locked for longer than a request waits', async () => {
    const { id } = shop.addCart({ var_m: 3 }, { ...redirect, discount: 'use_short' })
    shop.stock.set('var_m', 1)
    await shop.suite.sql('begin')
    await shop.suite.sql(`select pg_advisory_xact_lock(hashtext('cart'), hashtext($1))`, [id])
    const response = await shop.checkOut(id)
    await shop.suite.sql('rollback')
    expect(errorOf(response)).toMatchObject({ status: 409, code: 'out_of_stock' })
  })

  test('with other lines releases the goods of the first page', async () => {
    const cart = shop.addCart({ var_m: 3 }, redirect)
    const first = pageOf(await shop.checkOut(cart.id))
    cart.lines = shop.addCart({ var_m: 1 }).lines
    pageOf(await shop.checkOut(cart.id))
    expect(await verdictOf((await rowOf(first.id))?.claim)).toBe('abandoned')
    await waitFor('the goods', async () => shop.stock.available('var_m') === 9)
  })

  test('with fewer units than the first page holds is not short of them, and keeps the redemption', async () => {
    shop.stock.set('var_m', 2)
    const cart = shop.addCart({ var_m: 2 }, { ...redirect, discount: 'use_fewer' })
    const first = pageOf(await shop.checkOut(cart.id))
    cart.lines = shop.addCart({ var_m: 1 }).lines
    const second = pageOf(await shop.checkOut(cart.id))
    expect((await rowOf(first.id))?.status).toBe('superseded')
    expect(shop.providers.stripe.closed).toEqual([`stripe_of_${first.id}`])
    expect(await verdictOf((await rowOf(first.id))?.claim)).toBe('abandoned')
    expect(await rowOf(second.id)).toMatchObject({ status: 'open', discount_claim: 'use_fewer.1' })
    expect(await verdictOf('use_fewer.1')).toBeUndefined()
    expect(shop.stock.available('var_m')).toBe(1)
  })

  test('with another article keeps the last unit that the first page holds, and releases its redemption', async () => {
    shop.stock.set('var_m', 1)
    shop.stock.set('var_l', 1)
    const cart = shop.addCart({ var_m: 1 }, { ...redirect, discount: 'use_before' })
    pageOf(await shop.checkOut(cart.id))
    cart.lines = [...cart.lines, ...shop.addCart({ var_l: 1 }).lines]
    cart.discount = 'use_after'
    const second = pageOf(await shop.checkOut(cart.id))
    expect(await rowOf(second.id)).toMatchObject({ status: 'open', discount_claim: 'use_after.1' })
    expect(await verdictOf('use_before.1')).toBe('abandoned')
    expect([shop.stock.available('var_m'), shop.stock.available('var_l')]).toEqual([0, 0])
  })

  test('with fewer units in eight concurrent requests is one session, and all eight get its page', async () => {
    shop.stock.set('var_m', 2)
    const cart = shop.addCart({ var_m: 2 }, redirect)
    const first = pageOf(await shop.checkOut(cart.id))
    cart.lines = shop.addCart({ var_m: 1 }).lines
    const pages = (await Promise.all(Array.from({ length: 8 }, () => shop.checkOut(cart.id)))).map(pageOf)
    expect(new Set(pages.map(({ id }) => id)).size).toBe(1)
    expect(await rowOf(pages[0]?.id ?? '')).toMatchObject({ status: 'open' })
    expect(shop.providers.stripe.closed).toEqual([`stripe_of_${first.id}`])
    expect(shop.stock.available('var_m')).toBe(1)
  })

  test('with fewer units keeps the page that the same checkout has opened meanwhile', async () => {
    shop.stock.set('var_m', 2)
    const cart = shop.addCart({ var_m: 2 }, redirect)
    const first = pageOf(await shop.checkOut(cart.id))
    cart.lines = shop.addCart({ var_m: 1 }).lines
    const faster: Promise<TestResponse>[] = []
    shop.hooks.beforeShort = async () => {
      shop.hooks.beforeShort = undefined
      faster.push(shop.checkOut(cart.id))
      await Promise.all(faster)
    }
    const page = pageOf(await shop.checkOut(cart.id))
    expect((await Promise.all(faster)).map((each) => pageOf(each).id)).toEqual([page.id])
    expect(await rowOf(page.id)).toMatchObject({ status: 'open' })
    expect(shop.providers.stripe.closed).toEqual([`stripe_of_${first.id}`])
  })

  test('with fewer units after a crash before the goods of the first page were released is not short of them', async () => {
    shop.stock.set('var_m', 2)
    const cart = shop.addCart({ var_m: 2 }, redirect)
    const first = pageOf(await shop.checkOut(cart.id))
    await shop.suite.sql(`update orders.payment_sessions set status = 'superseded' where id = $1`, [first.id])
    cart.lines = shop.addCart({ var_m: 1 }).lines
    pageOf(await shop.checkOut(cart.id))
    expect(await verdictOf((await rowOf(first.id))?.claim)).toBe('abandoned')
    expect(shop.stock.available('var_m')).toBe(1)
  })

  test('with more units than there are, the first page’s included, leaves that page open', async () => {
    shop.stock.set('var_m', 3)
    shop.stock.set('var_l', 1)
    const cart = shop.addCart({ var_m: 2, var_l: 1 }, redirect)
    const first = pageOf(await shop.checkOut(cart.id))
    cart.lines = shop.addCart({ var_m: 5, var_l: 1 }).lines
    expect(errorOf(await shop.checkOut(cart.id))).toMatchObject({
      status: 409,
      code: 'out_of_stock',
      message: 'Only 3 left of Linen shirt, Sand, M.',
      detail: { lines: [{ variantId: 'var_m', wanted: 5, available: 3 }] },
    })
    expect(await rowOf(first.id)).toMatchObject({ status: 'open' })
    expect(shop.providers.stripe.closed).toEqual([])
    expect(shop.stock.available('var_m')).toBe(1)
  })

  test('with more units than one buyer may hold leaves the first page open', async () => {
    const cart = shop.addCart({ var_m: 2 }, redirect)
    const first = pageOf(await shop.checkOut(cart.id))
    cart.lines = shop.addCart({ var_m: 3 }).lines
    const stock = { ...shop.stock }
    const shortfalls = [{ variantId: 'var_m', wanted: 3, available: 2, limit: 'buyer' as const }]
    shop.stock.reserve = () => ({ held: false, shortfalls })
    try {
      expect(errorOf(await shop.checkOut(cart.id))).toMatchObject({ status: 409, code: 'insufficient_inventory' })
    } finally {
      Object.assign(shop.stock, stock)
    }
    expect(await rowOf(first.id)).toMatchObject({ status: 'open' })
  })

  test('whose goods another buyer takes while they are released ends without a page', async () => {
    shop.stock.set('var_m', 2)
    const cart = shop.addCart({ var_m: 2 }, redirect)
    const first = pageOf(await shop.checkOut(cart.id))
    cart.lines = shop.addCart({ var_m: 1 }).lines
    const stock = { ...shop.stock }
    shop.stock.release = (claim) => {
      shop.stock.set('var_m', 0)
      return stock.release(claim)
    }
    try {
      expect(errorOf(await shop.checkOut(cart.id))).toMatchObject({ status: 409, code: 'out_of_stock' })
    } finally {
      Object.assign(shop.stock, stock)
    }
    expect(await rowOf(first.id)).toMatchObject({ status: 'superseded' })
    expect(shop.providers.stripe.closed).toEqual([`stripe_of_${first.id}`])
    shop.stock.set('var_m', 1)
    pageOf(await shop.checkOut(cart.id))
  })

  test('in eight concurrent requests is one session, and all eight get its page', async () => {
    const { id } = shop.addCart({ var_m: 2 }, redirect)
    const pages = (await Promise.all(Array.from({ length: 8 }, () => shop.checkOut(id)))).map(pageOf)
    expect(new Set(pages.map((page) => page.url)).size).toBe(1)
    expect(new Set(shop.providers.stripe.opened.map((session) => session.id)).size).toBe(1)
    expect(shop.stock.available('var_m')).toBe(8)
    for (const { id, accessToken } of pages) {
      const response = await shop.call('GET', `/checkout/sessions/${id}`, undefined, { 'x-order-token': accessToken })
      expect(response.status).toBe(200)
    }
  })

  test('in concurrent requests with different details has one open page in the end, and keeps its goods', async () => {
    const { id } = shop.addCart({ var_m: 2 }, redirect)
    const responses = await Promise.all([shop.checkOut(id), shop.checkOut(id, changed)])
    const waiting = await shop.suite.sql<{ id: string; claim: string }>(
      `select id, claim from orders.payment_sessions where cart_id = $1 and status = 'open'`,
      [id],
    )
    expect(waiting).toHaveLength(1)
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expect(errorOf(response)).toMatchObject({ status: 409, code: 'conflict' })
    }
    expect(await verdictOf(waiting[0]?.claim)).toBeUndefined()
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('after a crash during the call to the provider is not blocked', async () => {
    const crashDuringCall = (id: string) =>
      shop.suite.sql(
        `update orders.payment_sessions set status = 'creating', provider_session = null, url = null,
           created_at = now() - interval '16 seconds' where id = $1`,
        [id],
      )
    const { id } = shop.addCart({ var_m: 2 }, redirect)
    const first = pageOf(await shop.checkOut(id))
    const earlier = pageOf(await shop.checkOut(shop.addCart({ var_m: 2 }, redirect).id))
    // The timer ends such sessions every five seconds too. Right after it has ended another one, the checkout is
    // faster.
    await crashDuringCall(earlier.id)
    await waitFor('the timer', async () => (await rowOf(earlier.id))?.status === 'failed')
    await crashDuringCall(first.id)
    const second = pageOf(await shop.checkOut(id))
    expect(second.id).not.toBe(first.id)
    expect((await rowOf(first.id))?.status).toBe('superseded')
  })

  test('is not blocked when the gateway repeats it, because the replica that was creating the page is gone', async () => {
    const { id } = shop.addCart({ var_m: 2 }, redirect)
    const request = { 'idempotency-key': 'lost-replica', [ADDED_KEY_HEADER]: '1' }
    const lost = pageOf(await shop.checkOut(id, BUYER, request))
    await shop.suite.sql(
      `update orders.payment_sessions set status = 'creating', provider_session = null, url = null where id = $1`,
      [lost.id],
    )
    const page = pageOf(await shop.checkOut(id, BUYER, { ...request, [REPEATED_HEADER]: '1' }))
    expect(page.id).not.toBe(lost.id)
    expect((await rowOf(lost.id))?.status).toBe('superseded')
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('waits for the page that another request is creating, also when the gateway repeats it', async () => {
    const { id } = shop.addCart({ var_m: 2 }, redirect)
    const creating = Promise.withResolvers<void>()
    shop.providers.stripe.beforeOpened = () => creating.promise
    const first = shop.checkOut(id)
    await waitFor('the session', async () => (await sessionsOf(id)).length === 1)
    const second = shop.checkOut(id, BUYER, { 'idempotency-key': 'another', [REPEATED_HEADER]: '1' })
    await waitFor('both', async () => shop.quotes.filter(({ cartId }) => cartId === id).length === 2)
    creating.resolve()
    expect(pageOf(await second).id).toBe(pageOf(await first).id)
    expect(await sessionsOf(id)).toHaveLength(1)
  })
})

describe('a provider that', () => {
  test.each([
    ['cannot be reached', () => new ProviderUnavailable('stripe', new Error('gone')), 503, 'service_unavailable'],
    ['rejects the request', () => new ProviderRejection('stripe', 'amount_too_small'), 502, 'bad_gateway'],
  ])('%s leaves nothing reserved, and the cart can be ordered later', async (_what, fault, status, code) => {
    const { id } = shop.addCart({ var_m: 2 }, { ...redirect, discount: `use_${code}` })
    shop.providers.stripe.beforeOpened = () => Promise.reject(fault())
    const response = errorOf(await shop.checkOut(id))
    expect(response).toMatchObject({ status, code, detail: { provider: 'stripe' } })
    expect(response.message).toMatch(/You have not been charged/)
    expect(shop.stock.available('var_m')).toBe(10)
    expect(await verdictOf(`use_${code}.1`)).toBe('abandoned')
    shop.providers.stripe.beforeOpened = undefined
    pageOf(await shop.checkOut(id))
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('opens the page too late gets it closed, and the buyer an error in time', async () => {
    const { id } = shop.addCart({ var_m: 2 }, redirect)
    const opening = Promise.withResolvers<void>()
    shop.providers.stripe.beforeOpened = () => opening.promise
    expect(errorOf(await shop.checkOut(id))).toMatchObject({ status: 503, detail: { provider: 'stripe' } })
    expect(shop.stock.available('var_m')).toBe(10)
    expect(shop.providers.stripe.closed).toEqual([])
    opening.resolve()
    const [opened] = shop.providers.stripe.opened
    await expect.poll(() => shop.providers.stripe.closed).toEqual([`stripe_of_${opened?.id}`])
  }, 20_000)

  test('reports the payment before its response leads to the order at once', async () => {
    const { id } = shop.addCart({ var_m: 2 }, redirect)
    shop.providers.stripe.beforeOpened = async (session) => {
      await payAtStripe(shop, session.id, 'pi_early')
    }
    const order = orderOf(await shop.checkOut(id))
    expect(order.status).toBe('paid')
  })
})

describe('a session that has expired', () => {
  const expire = (id: string) =>
    shop.suite.sql(`update orders.payment_sessions set expires_at = now() - interval '61 seconds' where id = $1`, [id])
  const open = async () => {
    const { id } = shop.addCart({ var_m: 2 }, redirect)
    const page = pageOf(await shop.checkOut(id))
    return { cartId: id, page }
  }
  /** The timer of the service may have claimed a due session a moment before, and still be ending it. */
  const WAIT = { timeout: 60_000 }
  const statusOf = async (id: string) => (await rowOf(id))?.status

  test('ends, and its goods are for sale again', async () => {
    const { page } = await open()
    await expire(page.id)
    await endDueSessionsOnce(shop.orders.context)
    await expect.poll(() => statusOf(page.id), WAIT).toBe('expired')
    await expect.poll(() => shop.stock.available('var_m'), WAIT).toBe(10)
    await expect.poll(() => shop.providers.stripe.closed, WAIT).toEqual([`stripe_of_${page.id}`])
    expect(await verdictOf((await rowOf(page.id))?.claim)).toBe('abandoned')
  })

  test('becomes an order when the provider reports a payment', async () => {
    const { page, cartId } = await open()
    const paidFor = page.id
    shop.providers.stripe.inspect = async (session) =>
      session.id === paidFor ? paymentUpdate({ reference: 'pi_late' }) : undefined
    await expire(page.id)
    await Promise.all([endDueSessionsOnce(shop.orders.context), endDueSessionsOnce(shop.orders.context)])
    await expect.poll(() => statusOf(page.id), WAIT).toBe('completed')
    expect(await shop.suite.sql('select status from orders.orders where cart_id = $1', [cartId])).toEqual([
      { status: 'paid' },
    ])
  })

  test('ends with a payment that takes days, which is recorded', async () => {
    const { page } = await open()
    const update = paymentUpdate({ status: 'authorized', reference: 'pi_debit', method: 'sepa_debit' })
    shop.providers.stripe.inspect = async (session) => (session.id === page.id ? update : undefined)
    await expire(page.id)
    await endDueSessionsOnce(shop.orders.context)
    await expect.poll(() => statusOf(page.id), WAIT).toBe('expired')
    expect(await shop.suite.sql(`select session_id, status from orders.payments where reference = 'pi_debit'`)).toEqual(
      [{ session_id: page.id, status: 'authorized' }],
    )
  })

  test('stays unchanged while the provider does not respond, and is checked again', async () => {
    const { page } = await open()
    shop.providers.stripe.inspect = () => Promise.reject(new ProviderUnavailable('stripe', new Error('gone')))
    await expire(page.id)
    await endDueSessionsOnce(shop.orders.context)
    expect((await rowOf(page.id))?.status).toBe('open')
    expect(shop.stock.available('var_m')).toBe(8)
    shop.providers.stripe.inspect = undefined
    await expire(page.id)
    await endDueSessionsOnce(shop.orders.context)
    await expect.poll(() => statusOf(page.id), WAIT).toBe('expired')
  })

  const overSince = (id: string, ago: string) =>
    shop.suite.sql(
      `update orders.payment_sessions set due_since = now() - $2::interval, expires_at = now() - interval '61 seconds'
       where id = $1`,
      [id, ago],
    )

  test('stays unchanged while the provider does not respond, also after a day', async () => {
    const { page } = await open()
    shop.providers.stripe.inspect = () => Promise.reject(new ProviderUnavailable('stripe', new Error('gone')))
    await overSince(page.id, '25 hours')
    await endDueSessionsOnce(shop.orders.context)
    expect(await statusOf(page.id)).toBe('open')
  })

  test('ends when the provider has rejected the look-up for a day, and its late payment is still found', async () => {
    const { page } = await open()
    shop.providers.stripe.inspect = () => Promise.reject(new ProviderRejection('stripe', 'resource_missing'))
    await overSince(page.id, '23 hours')
    await endDueSessionsOnce(shop.orders.context)
    expect(await statusOf(page.id)).toBe('open')
    await overSince(page.id, '25 hours')
    await endDueSessionsOnce(shop.orders.context)
    await expect.poll(() => statusOf(page.id), WAIT).toBe('expired')
    expect(await shop.suite.sql('select buyer_keys from orders.payment_sessions where id = $1', [page.id])).toEqual([
      { buyer_keys: [] },
    ])
    await expect.poll(() => shop.stock.available('var_m'), WAIT).toBe(10)

    await shop.suite.sql(
      `update orders.payment_sessions set expires_at = now() - interval '16 minutes' where id = $1`,
      [page.id],
    )
    const update = paymentUpdate({ reference: 'pi_after_a_day' })
    shop.providers.stripe.inspect = async (session) => (session.id === page.id ? update : undefined)
    await inspectEndedSessions(shop.orders.context)
    await expect.poll(() => statusOf(page.id), WAIT).toBe('completed')
  })

  test('stays open until then, and one that a crash interrupted is ended after 15 seconds', async () => {
    const { page } = await open()
    await endDueSessionsOnce(shop.orders.context)
    expect((await rowOf(page.id))?.status).toBe('open')
    await shop.suite.sql(
      `update orders.payment_sessions set status = 'creating', created_at = now() - interval '16 seconds' where id = $1`,
      [page.id],
    )
    await endDueSessionsOnce(shop.orders.context)
    expect(await statusOf(page.id)).toBe('failed')
    await expect.poll(() => shop.stock.available('var_m'), WAIT).toBe(10)
  })
})
