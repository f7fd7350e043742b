import { manualClock } from '@storefront/service/testing'
import { replyTo, type Messaging } from '@storefront/messaging'
import { CheckCartOrdered } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quoteCart } from './orders.ts'
import { cartOf, contentOf, createShop, usd, type Shop } from './shop.ts'

const clock = manualClock(new Date())
let shop: Shop

beforeAll(async () => {
  shop = await createShop({ clock })
  await shop.shelf.put('var_m')
})
afterAll(() => shop.stop())

const create = async (headers: object = {}, body?: unknown) => cartOf(await shop.call('POST', '/carts', body, headers))

describe('a new cart', () => {
  test('is empty and complete, with a body and without one', async () => {
    await shop.shelf.configure({ commerce: { freeShippingOver: 15_000 } })
    for (const body of [undefined, {}, null, { fresh: true }, { source: 'something the client added' }]) {
      const cart = await create({}, body)
      expect(cart).toEqual({
        id: expect.stringMatching(/^cart_[0-9a-f]{36}$/),
        currency: 'USD',
        lines: [],
        subtotal: usd(0),
        discount: usd(0),
        shipping: usd(0),
        tax: usd(0),
        total: usd(0),
        freeShippingThreshold: usd(15_000),
        freeShippingRemaining: usd(15_000),
      })
    }
  })

  test('differs for each guest', async () => {
    const carts = await Promise.all(Array.from({ length: 20 }, () => create()))
    expect(new Set(carts.map(({ id }) => id)).size).toBe(20)
  })

  test('is never cached', async () => {
    expect((await shop.call('POST', '/carts')).headers['cache-control']).toBe('private, no-store')
  })
})

describe('a browser that requests its first cart', () => {
  const SIGNED_ID = /^[\w-]{27}\.[\w+/]{43}$/
  const cookieOf = async (headers: object = {}, wanted = 'store_browser') => {
    const response = await shop.cart.app.inject({ method: 'POST', url: '/carts', headers: { ...headers } })
    return response.cookies.find(({ name }) => name === wanted)
  }

  test('gets a cookie that scripts cannot read, and keeps it', async () => {
    const cookie = await cookieOf()
    expect(cookie).toMatchObject({ httpOnly: true, path: '/', sameSite: 'Lax' })
    expect(cookie?.value).toMatch(SIGNED_ID)
    expect((await cookieOf({ cookie: `store_browser=${cookie?.value}` }))?.value).toBe(cookie?.value)
    expect((await cookieOf())?.value).not.toBe(cookie?.value)
  })

  test('gets another one in place of a value that the shop did not make', async () => {
    const own = (await cookieOf())?.value ?? ''
    const [name = '', signature = ''] = own.split('.')
    const forged = [
      'short',
      'x'.repeat(200),
      'a%00b',
      '%zz',
      '"quoted',
      'a=b; a=c; =',
      'x'.repeat(27),
      name,
      `${name}.`,
      `${name}.${'x'.repeat(27)}.${signature}`,
      `${'x'.repeat(27)}.${signature}`,
    ]
    for (const value of forged) {
      const given = (await cookieOf({ cookie: `store_browser=${value}` }))?.value
      expect(given).toMatch(SIGNED_ID)
      expect(given?.split('.')[0]).not.toBe(value.split('.')[0])
    }
  })

  test('gets one that only this host may set, and that is sent only over https, where the shop uses https', async () => {
    const https = { 'x-forwarded-proto': 'https' }
    const cookie = await cookieOf(https, '__Host-store_browser')
    expect(cookie).toMatchObject({ httpOnly: true, path: '/', sameSite: 'Lax', secure: true })
    expect(cookie).not.toHaveProperty('domain')
    expect(await cookieOf(https)).toBeUndefined()
    const again = async (name: string) =>
      (await cookieOf({ ...https, cookie: `${name}=${cookie?.value}` }, '__Host-store_browser'))?.value
    expect(await again('__Host-store_browser')).toBe(cookie?.value)
    // Any host of the same site could have set this one.
    expect(await again('store_browser')).not.toBe(cookie?.value)
    expect(await cookieOf()).not.toHaveProperty('secure')
  })

  test.each([
    [{ PUBLIC_URL: 'https://shop.example' }, 'Lax'],
    [{ COOKIE_CROSS_SITE: 'true' }, 'None'],
  ])('gets this cookie with %j, whatever a proxy reports', async (env, sameSite) => {
    const other = await createShop({ env })
    try {
      const { cookies } = await other.cart.app.inject({
        method: 'POST',
        url: '/carts',
        headers: { 'x-forwarded-proto': 'http' },
      })
      expect(cookies).toEqual([expect.objectContaining({ name: '__Host-store_browser', secure: true, sameSite })])
    } finally {
      await other.stop()
    }
  })
})

describe('a customer who requests a cart', () => {
  const ada = () => shop.suite.headers.customer('cus_ada')

  test('gets the open one with its lines', async () => {
    const first = await shop.cartWith({ var_m: 2 }, ada())
    const again = await create(ada())
    expect(again.id).toBe(first.id)
    expect(contentOf(again)).toEqual([['var_m', 2]])
    expect((await create(ada(), { fresh: false })).id).toBe(first.id)
  })

  test('gets another one when a fresh one is requested, and that one from then on', async () => {
    const first = await create(ada())
    // Newest first: the clock of the service has to move for one to be newer.
    clock.advance(1000)
    const fresh = await create(ada(), { fresh: true })
    expect(fresh.id).not.toBe(first.id)
    expect((await create(ada())).id).toBe(fresh.id)
    expect(cartOf(await shop.call('GET', `/carts/${first.id}`, undefined, ada())).id).toBe(first.id)
  })

  test('never gets that of another customer', async () => {
    const bert = shop.suite.headers.customer('cus_bert')
    expect((await create(bert)).id).not.toBe((await create(ada())).id)
  })

  test('gets the guest cart that was opened after signing in', async () => {
    const carla = shop.suite.headers.customer('cus_carla')
    const guest = await shop.cartWith({ var_m: 1 })
    await shop.call('GET', `/carts/${guest.id}`, undefined, carla)
    expect((await create(carla)).id).toBe(guest.id)
  })
})

describe('a customer whose cart was at the checkout', () => {
  let orders: Messaging
  const ordered = new Set<string>()
  const requests: string[] = []
  let isAway = false

  beforeAll(async () => {
    orders = await shop.suite.openMessaging('orders')
    const { log } = shop.suite
    replyTo({ messaging: orders, log, verifyActor: () => undefined }, CheckCartOrdered, async ({ cartId }) => {
      requests.push(cartId)
      if (isAway) throw new Error('orders fails in this test')
      return { ordered: ordered.has(cartId) }
    })
    await (await orders.opened).flush()
  })

  const dan = () => shop.suite.headers.customer('cus_dan')
  const quote = (cartId: string, headers?: { 'x-actor'?: string }) => quoteCart(orders, cartId, headers)

  test('gets that cart as long as it is not an order, and never after it was bought', async () => {
    clock.advance(1000)
    const cart = await shop.cartWith({ var_m: 1 }, dan())
    requests.length = 0
    expect((await create(dan())).id).toBe(cart.id)
    expect(requests).toEqual([])
    await quote(cart.id, dan())
    expect((await create(dan())).id).toBe(cart.id)
    expect(requests).toEqual([cart.id])
    ordered.add(cart.id)
    const next = await create(dan())
    expect(next.id).not.toBe(cart.id)
    expect(next.lines).toEqual([])
    expect((await create(dan())).id).toBe(next.id)
    expect((await shop.call('GET', `/carts/${cart.id}`, undefined, dan())).status).toBe(404)
    expect(requests).toEqual([cart.id, cart.id])
  })

  test('gets that cart when orders replies with an error', async () => {
    clock.advance(1000)
    const cart = await shop.cartWith({ var_m: 1 }, dan())
    await quote(cart.id, dan())
    ordered.add(cart.id)
    isAway = true
    expect((await create(dan())).id).toBe(cart.id)
    isAway = false
    expect((await create(dan())).id).not.toBe(cart.id)
  })

  test('gets that cart without a request to orders an hour after the checkout', async () => {
    clock.advance(1000)
    const cart = await shop.cartWith({ var_m: 1 }, dan())
    await quote(cart.id, dan())
    await shop.suite.sql(`update cart.carts set quoted_at = quoted_at - interval '61 minutes' where id = $1`, [cart.id])
    requests.length = 0
    expect((await create(dan())).id).toBe(cart.id)
    expect(requests).toEqual([])
  })

  test('gets the previous cart when that is still open, and a new one when all of them were bought', async () => {
    const erin = shop.suite.headers.customer('cus_erin')
    const carts: string[] = []
    for (let each = 0; each < 3; each++) {
      clock.advance(1000)
      const { id } = await shop.cartWith({ var_m: 1 }, erin)
      await quote(id, erin)
      carts.unshift(id)
    }
    const [newest = '', older = '', oldest = ''] = carts
    ordered.add(newest).add(older)
    expect((await create(erin)).id).toBe(oldest)
    ordered.add(oldest)
    expect(carts).not.toContain((await create(erin)).id)
  })

  test('does not get a cart that the customer bought as a guest before signing in', async () => {
    const fay = shop.suite.headers.customer('cus_fay')
    const guest = await shop.cartWith({ var_m: 1 })
    await quote(guest.id)
    ordered.add(guest.id)
    expect((await shop.call('GET', `/carts/${guest.id}`, undefined, fay)).status).toBe(200)
    expect((await create(fay)).id).not.toBe(guest.id)
  })
})
