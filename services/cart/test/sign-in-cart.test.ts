import { manualClock } from '@storefront/service/testing'
import { replyTo, type Messaging } from '@storefront/messaging'
import { CheckCartOrdered, OrderPlaced, type Cart } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { publishEvent } from './events.ts'
import { placedOrder, quoteCart } from './orders.ts'
import { cartOf, contentOf, createShop, errorOf, usd, type Shop } from './shop.ts'

const DAY_MS = 24 * 3600 * 1000
const GONE = expect.objectContaining({ status: 404, code: 'cart_not_found' })
/** Only a little ahead of the real time, because an actor is valid for a minute. */
const clock = manualClock(new Date())
let shop: Shop
let orders: Messaging
let customers = 0
let ada: { 'x-actor': string }
const ordered = new Set<string>()
let isAway = false

beforeAll(async () => {
  shop = await createShop({ clock })
  orders = await shop.suite.openMessaging('orders')
  const { log } = shop.suite
  replyTo({ messaging: orders, log, verifyActor: () => undefined }, CheckCartOrdered, async ({ cartId }) => {
    if (isAway) throw new Error('orders fails in this test')
    return { ordered: ordered.has(cartId) }
  })
  await (await orders.opened).flush()
})
afterAll(() => shop.stop())

beforeEach(async () => {
  isAway = false
  // Carts of one customer are distinguished by their age.
  clock.advance(1000)
  ada = shop.suite.headers.customer(`cus_ada${customers++}`)
  await shop.shelf.put('var_m', { inventory: 100 })
  await shop.shelf.put('var_l', { inventory: 100 })
  await shop.shelf.put('var_s', { inventory: 100 })
})

const get = (id: string, headers: object = {}) => shop.call('GET', `/carts/${id}`, undefined, headers)
const read = async (id: string, headers: object = {}) => cartOf(await get(id, headers))
const add = (id: string, variantId: string, quantity: number, headers: object = {}) =>
  shop.call('POST', `/carts/${id}/lines`, { variant_id: variantId, quantity }, headers)
const lineOf = (cart: Cart, variantId: string) => cart.lines.find((line) => line.variantId === variantId)?.id ?? ''
const quote = (cartId: string, headers?: { 'x-actor'?: string }) => quoteCart(orders, cartId, headers)

/** Publishes the event as orders does. */
const placeOrder = (cartId: string, lines: Cart['lines']) =>
  publishEvent(orders, OrderPlaced, placedOrder(cartId, lines), { at: clock.now().toISOString() })

describe('a guest cart that is opened after signing in', () => {
  test('becomes the customer’s when there is no other, and keeps its id', async () => {
    const guest = await shop.cartWith({ var_m: 2 })
    expect((await read(guest.id, ada)).id).toBe(guest.id)
    expect(cartOf(await shop.call('POST', '/carts', {}, ada)).id).toBe(guest.id)
  })

  test('is merged into the customer’s open cart: quantities add up, and the response has that cart’s id', async () => {
    const own = await shop.cartWith({ var_m: 2, var_s: 1 }, ada)
    const guest = await shop.cartWith({ var_l: 4, var_m: 3 })
    const merged = await read(guest.id, ada)
    expect(merged.id).toBe(own.id)
    expect(contentOf(merged)).toEqual([
      ['var_m', 5],
      ['var_s', 1],
      ['var_l', 4],
    ])
    expect(await read(own.id, ada)).toEqual(merged)
    expect(await read(guest.id, ada)).toEqual(merged)
    expect(cartOf(await shop.call('POST', '/carts', {}, ada)).id).toBe(own.id)
    expect((await quote(guest.id, ada)).cartId).toBe(own.id)
  })

  test('is merged with the keys of its changes: a repeated change is not made again', async () => {
    const own = await shop.cartWith({}, ada)
    const guest = await shop.cartWith({})
    const once = { 'idempotency-key': 'before she signed in' }
    await add(own.id, 'var_s', 1, { ...ada, ...once })
    // As many as a cart remembers.
    for (let nth = 1; nth < 16; nth++) await add(guest.id, 'var_m', 1, { 'idempotency-key': `key ${nth}` })
    await add(guest.id, 'var_m', 2, once)
    const content = [
      ['var_s', 1],
      ['var_m', 17],
    ]
    const repeated = cartOf(await add(guest.id, 'var_m', 2, { ...ada, ...once }))
    expect([repeated.id, contentOf(repeated)]).toEqual([own.id, content])
    expect(contentOf(cartOf(await add(own.id, 'var_s', 1, { ...ada, ...once })))).toEqual(content)
  })

  test('adds up to the available stock', async () => {
    const own = await shop.cartWith({ var_m: 6 }, ada)
    const guest = await shop.cartWith({ var_m: 6 })
    await shop.shelf.put('var_m', { inventory: 10 })
    const merged = await read(guest.id, ada)
    expect([merged.id, contentOf(merged)]).toEqual([own.id, [['var_m', 10]]])
  })

  test('is also merged by a write that opens it', async () => {
    for (const touch of ['add', 'change', 'remove', 'empty'] as const) {
      clock.advance(1000)
      const carla = shop.suite.headers.customer(`cus_carla_${touch}`)
      const own = await shop.cartWith({ var_m: 2 }, carla)
      const guest = await shop.cartWith({ var_m: 3, var_l: 4 })
      const line = `/carts/${guest.id}/lines/${lineOf(guest, 'var_m')}`
      const content = {
        add: async () => contentOf(cartOf(await add(guest.id, 'var_l', 1, carla))),
        change: async () => contentOf(cartOf(await shop.call('PATCH', line, { quantity: 1 }, carla))),
        remove: async () => contentOf(cartOf(await shop.call('DELETE', line, undefined, carla))),
        empty: async () => contentOf(cartOf(await shop.call('DELETE', `/carts/${guest.id}/lines`, undefined, carla))),
      }
      expect(await content[touch](), touch).toEqual(
        {
          add: [
            ['var_m', 5],
            ['var_l', 5],
          ],
          change: [
            ['var_m', 1],
            ['var_l', 4],
          ],
          remove: [['var_l', 4]],
          empty: [],
        }[touch],
      )
      expect((await read(own.id, carla)).lines).toHaveLength({ add: 2, change: 2, remove: 1, empty: 0 }[touch])
    }
  })

  test('is not merged by a checkout that opens it: it is sold as the customer has seen it, and their open cart stays', async () => {
    const own = await shop.cartWith({ var_m: 2 }, ada)
    const guest = await shop.cartWith({ var_m: 3, var_l: 4 })
    const sold = await quote(guest.id, ada)
    expect(sold).toMatchObject({ cartId: guest.id, lines: guest.lines, total: guest.total })
    expect(sold.customerId).toBe((await quote(own.id, ada)).customerId)
    expect(await quote(guest.id, ada)).toEqual(sold)
    await placeOrder(guest.id, guest.lines)
    await waitFor('the order', async () => (await get(guest.id)).status === 404)
    expect(errorOf(await get(guest.id, ada))).toEqual(GONE)
    expect(cartOf(await shop.call('POST', '/carts', {}, ada))).toEqual(own)
  })

  test('is found by its former id, and its lines by theirs, for as long as the client uses them', async () => {
    const own = await shop.cartWith({ var_m: 2 }, ada)
    const guest = await shop.cartWith({ var_m: 3, var_l: 4 })
    await read(guest.id, ada)
    const lines = `/carts/${guest.id}/lines`
    const changed = cartOf(await shop.call('PATCH', `${lines}/${lineOf(guest, 'var_m')}`, { quantity: 7 }, ada))
    expect(changed.id).toBe(own.id)
    expect(lineOf(changed, 'var_m')).toBe(lineOf(own, 'var_m'))
    expect(lineOf(changed, 'var_l')).toBe(lineOf(guest, 'var_l'))
    expect(contentOf(cartOf(await add(guest.id, 'var_s', 1, ada)))).toEqual([
      ['var_m', 7],
      ['var_l', 4],
      ['var_s', 1],
    ])
    cartOf(await shop.call('DELETE', `${lines}/${lineOf(guest, 'var_l')}`, undefined, ada))
    cartOf(await shop.call('DELETE', `${lines}/${lineOf(guest, 'var_m')}`, undefined, ada))
    expect(contentOf(await read(own.id, ada))).toEqual([['var_s', 1]])
    expect(errorOf(await shop.call('DELETE', `${lines}/${lineOf(guest, 'var_m')}`, undefined, ada))).toMatchObject({
      code: 'line_not_found',
    })
    expect(cartOf(await shop.call('DELETE', lines, undefined, ada))).toMatchObject({ id: own.id, lines: [] })
  })

  test('brings its discount code, unless the customer’s cart has one that is valid', async () => {
    for (const [code, value] of [
      ['OURS', 10],
      ['THEIRS', 20],
    ]) {
      const body = { code, kind: 'percent', value }
      const made = await shop.call('POST', '/admin/discounts', body, shop.suite.headers.admin())
      expect([200, 201]).toContain(made.status)
    }
    const withCode = async (cart: Cart, code: string, headers: object = {}) =>
      cartOf(await shop.call('POST', `/carts/${cart.id}/discount`, { code }, headers))
    const own = await shop.cartWith({ var_m: 1 }, ada)
    const first = await withCode(await shop.cartWith({ var_m: 1 }), 'theirs')
    expect(await read(first.id, ada)).toMatchObject({
      id: own.id,
      discountCode: { code: 'THEIRS' },
      discount: usd(1600),
    })
    await withCode(own, 'ours', ada)
    const second = await withCode(await shop.cartWith({ var_m: 1 }), 'theirs')
    expect(await read(second.id, ada)).toMatchObject({
      id: own.id,
      discountCode: { code: 'OURS' },
      discount: usd(1200),
    })
    const third = await withCode(await shop.cartWith({ var_m: 1 }), 'theirs')
    const ended = { endsAt: clock.now().toISOString() }
    await shop.call('PATCH', '/admin/discounts/OURS', ended, shop.suite.headers.admin())
    expect(await read(third.id, ada)).toMatchObject({
      id: own.id,
      discountCode: { code: 'THEIRS' },
      discount: usd(3200),
    })
  })

  test('does not exist for the guest from then on, nor for another customer', async () => {
    const own = await shop.cartWith({ var_m: 2 }, ada)
    const guest = await shop.cartWith({ var_l: 1 })
    await read(guest.id, ada)
    const eve = shop.suite.headers.customer('cus_eve')
    for (const outsider of [{}, shop.suite.headers.anonymous(), eve]) {
      const line = `/carts/${guest.id}/lines/${lineOf(guest, 'var_l')}`
      expect(errorOf(await get(guest.id, outsider))).toEqual(GONE)
      expect(errorOf(await add(guest.id, 'var_m', 1, outsider))).toEqual(GONE)
      expect(errorOf(await shop.call('PATCH', line, { quantity: 9 }, outsider))).toEqual(GONE)
      expect(errorOf(await shop.call('DELETE', line, undefined, outsider))).toEqual(GONE)
      expect(errorOf(await shop.call('DELETE', `/carts/${guest.id}/lines`, undefined, outsider))).toEqual(GONE)
    }
    await expect(quote(guest.id)).rejects.toMatchObject({ code: 'cart_not_found' })
    expect(contentOf(await read(own.id, ada))).toEqual([
      ['var_m', 2],
      ['var_l', 1],
    ])
  })

  test('keeps lines that are no longer sold, marked as unavailable', async () => {
    await shop.cartWith({ var_m: 2 }, ada)
    const guest = await shop.cartWith({ var_l: 3 })
    await shop.shelf.remove('var_l')
    expect((await read(guest.id, ada)).lines).toMatchObject([{ variantId: 'var_m' }, { quantity: 3, available: false }])
  })

  test('is still found when the cart that it was merged into is merged itself', async () => {
    const first = await shop.cartWith({ var_m: 1 })
    await shop.suite.sql('insert into cart.cart_aliases (alias, cart_id) values ($1, $2)', ['cart_before', first.id])
    const own = await shop.cartWith({ var_m: 1 }, ada)
    expect((await read('cart_before', ada)).id).toBe(own.id)
    for (const id of ['cart_before', first.id, own.id]) {
      expect(await read(id, ada)).toMatchObject({ id: own.id, lines: [{ quantity: 2 }] })
    }
  })

  test('expires with the other cart, whose expiry the merge extends and a read does not', async () => {
    const own = await shop.cartWith({ var_m: 1 }, ada)
    const guest = await shop.cartWith({ var_l: 1 })
    const setExpiry = (at: number) =>
      shop.suite.sql('update cart.carts set expires_at = $2 where id = $1', [own.id, new Date(at)])
    const daysLeft = async () => {
      const [row] = await shop.suite.sql<{ at: Date }>('select expires_at as at from cart.carts where id = $1', [
        own.id,
      ])
      // A change extends it to the next full hour.
      return Math.floor(((row?.at.getTime() ?? 0) - clock.now().getTime()) / DAY_MS)
    }
    await setExpiry(clock.now().getTime() + DAY_MS)
    await read(own.id, ada)
    expect(await daysLeft()).toBe(1)
    await read(guest.id, ada)
    expect(await daysLeft()).toBe(30)
    await setExpiry(clock.now().getTime() + 1)
    expect((await read(guest.id, ada)).id).toBe(own.id)
    await setExpiry(clock.now().getTime())
    for (const id of [guest.id, own.id]) expect(errorOf(await get(id, ada))).toEqual(GONE)
    await shop.suite.sql('delete from cart.carts where id = $1', [own.id])
    expect(await shop.suite.sql('select from cart.cart_aliases where alias = $1', [guest.id])).toEqual([])
  })
})

describe('a guest cart that was at the checkout', () => {
  test('is not merged when it is an order', async () => {
    const own = await shop.cartWith({ var_m: 1 }, ada)
    const guest = await shop.cartWith({ var_l: 1 })
    ordered.add(guest.id)
    expect(errorOf(await get(guest.id, ada))).toEqual(GONE)
    expect(contentOf(await read(own.id, ada))).toEqual([['var_m', 1]])
  })

  test('is merged when orders replies with an error, and the bought lines are removed when the event arrives, once', async () => {
    const own = await shop.cartWith({ var_m: 1, var_s: 2 }, ada)
    const guest = await shop.cartWith({ var_l: 1, var_m: 3, var_s: 1 })
    isAway = true
    const warn = vi.spyOn(shop.suite.log, 'warn')
    await read(guest.id, ada)
    const logged = JSON.stringify(warn.mock.calls)
    warn.mockRestore()
    expect(logged).toContain('orders did not report whether a cart became an order')
    expect(logged).not.toContain(guest.id)
    const change = `/carts/${own.id}/lines/${lineOf(own, 'var_s')}`
    cartOf(await shop.call('PATCH', change, { quantity: 0 }, ada))
    await placeOrder(guest.id, guest.lines)
    await waitFor('the bought lines to be removed', async () => (await read(own.id, ada)).lines.length === 1)
    expect(contentOf(await read(guest.id, ada))).toEqual([['var_m', 1]])
    cartOf(await add(own.id, 'var_l', 5, ada))
    await placeOrder(guest.id, guest.lines)
    const last = await shop.cartWith({ var_m: 1 })
    await placeOrder(last.id, last.lines)
    await waitFor('the later order', async () => (await get(last.id)).status === 404)
    expect(contentOf(await read(own.id, ada))).toEqual([
      ['var_m', 1],
      ['var_l', 5],
    ])
  })

  test.each(['own first', 'guest first', 'at once'])(
    'that is merged after the customer’s own checkout was quoted leaves no bought line in the next cart: %s',
    async (sequence) => {
      const own = await shop.cartWith({ var_m: 1 }, ada)
      const guest = await shop.cartWith({ var_l: 2, var_m: 2 })
      isAway = true
      const merged = await read(guest.id, ada)
      cartOf(await add(own.id, 'var_s', 1, ada))
      const orderOwn = () => placeOrder(own.id, own.lines)
      const orderGuest = () => placeOrder(guest.id, guest.lines)
      const isClosed = async () => (await get(own.id, ada)).status === 404
      const isGuestOrdered = async () => {
        const rows = await shop.suite.sql('select from cart.cart_aliases where alias = $1 and ordered', [guest.id])
        return rows.length === 1
      }
      const [first, second, isFirstConsumed] =
        sequence === 'own first' ? [orderOwn, orderGuest, isClosed] : [orderGuest, orderOwn, isGuestOrdered]
      await first()
      if (sequence !== 'at once') await waitFor('the first order', isFirstConsumed)
      await second()
      await waitFor('both orders', async () => (await isClosed()) && (await isGuestOrdered()))
      const next = cartOf(await shop.call('POST', '/carts', {}, ada))
      expect(contentOf(next)).toEqual([['var_s', 1]])
      expect(next.id).not.toBe(own.id)
      expect(merged.lines.map(({ id }) => id)).toEqual([lineOf(own, 'var_m'), lineOf(guest, 'var_l')])
    },
  )

  test('that was merged too late for the order of the customer’s own cart is found by its id in the next one', async () => {
    const own = await shop.cartWith({ var_m: 1 }, ada)
    const guest = await shop.cartWith({ var_l: 2, var_m: 2 })
    await read(guest.id, ada)
    await placeOrder(own.id, own.lines)
    await waitFor('the order of the own cart', async () => (await get(own.id, ada)).status === 404)
    const next = cartOf(await shop.call('POST', '/carts', {}, ada))
    expect(await read(guest.id, ada)).toEqual(next)
    expect(contentOf(next)).toEqual([
      ['var_m', 2],
      ['var_l', 2],
    ])
  })

  test('and was bought keeps remaining units of a line under an id that no order has', async () => {
    const own = await shop.cartWith({ var_m: 1 }, ada)
    const guest = await shop.cartWith({ var_l: 1, var_m: 2 })
    isAway = true
    await read(guest.id, ada)
    const more = cartOf(await add(own.id, 'var_l', 2, ada))
    expect((await quote(own.id, ada)).formerLineIds).toEqual([lineOf(guest, 'var_m')])
    await placeOrder(guest.id, guest.lines)
    await waitFor('the bought lines to be removed', async () => contentOf(await read(own.id, ada))[0]?.[1] === 1)
    const left = await quote(own.id, ada)
    expect(left.lines.map((line) => [line.variantId, line.quantity])).toEqual([
      ['var_m', 1],
      ['var_l', 2],
    ])
    expect(left.lines[0]?.id).toBe(lineOf(own, 'var_m'))
    expect(left.lines[1]?.id).not.toBe(lineOf(more, 'var_l'))
    expect(left.formerLineIds).toBeUndefined()
    expect(left.mergedCartIds).toBeUndefined()
  })

  test('whose order arrives while it is merged leaves no bought line in the customer’s cart', async () => {
    const own = await shop.cartWith({ var_m: 1 }, ada)
    for (let round = 0; round < 6; round++) {
      const guest = await shop.cartWith({ var_l: 2 })
      const merging = get(guest.id, ada)
      await placeOrder(guest.id, guest.lines)
      await merging
      await waitFor('the order', async () => {
        const [row] = await shop.suite.sql<{ done: boolean }>(
          `select exists (select 1 from cart.carts where id = $1 and status = 'converted')
             or exists (select 1 from cart.cart_aliases where alias = $1 and ordered) as done`,
          [guest.id],
        )
        return row?.done
      })
      expect(contentOf(await read(own.id, ada))).toEqual([['var_m', 1]])
    }
  })
})

describe('concurrent requests', () => {
  test('that open the same guest cart merge it once', async () => {
    const own = await shop.cartWith({ var_m: 1 }, ada)
    const guest = await shop.cartWith({ var_m: 2, var_l: 3 })
    const merged = await Promise.all(Array.from({ length: 10 }, () => read(guest.id, ada)))
    for (const cart of merged) {
      expect([cart.id, contentOf(cart)]).toEqual([
        own.id,
        [
          ['var_m', 3],
          ['var_l', 3],
        ],
      ])
    }
  })

  test('of tabs that merge and tabs that add neither lose nor double a line', async () => {
    const own = await shop.cartWith({ var_m: 1 }, ada)
    const guests = await Promise.all(Array.from({ length: 4 }, () => shop.cartWith({ var_m: 2 })))
    const responses = await Promise.all([
      ...guests.flatMap(({ id }) => [get(id, ada), add(id, 'var_m', 1, ada), add(id, 'var_l', 1, ada)]),
      ...Array.from({ length: 5 }, () => add(own.id, 'var_m', 1, ada)),
    ])
    for (const each of responses) expect(cartOf(each).id).toBe(own.id)
    expect(new Map(contentOf(await read(own.id, ada)))).toEqual(
      new Map([
        ['var_m', 1 + 4 * 2 + 4 + 5],
        ['var_l', 4],
      ]),
    )
  })

  test('of a guest who adds while the cart is merged find it in the cart, or get the error that the cart no longer exists', async () => {
    await shop.cartWith({ var_m: 1 }, ada)
    const guest = await shop.cartWith({ var_m: 1 })
    const [merged, ...added] = await Promise.all([
      get(guest.id, ada),
      ...Array.from({ length: 8 }, () => add(guest.id, 'var_m', 1)),
    ])
    const kept = added.filter(({ status }) => status === 200).length
    for (const each of added.filter(({ status }) => status !== 200)) expect(errorOf(each)).toEqual(GONE)
    expect(contentOf(await read(cartOf(merged).id, ada))).toEqual([['var_m', 2 + kept]])
  })

  test('for two guest carts make them one when the customer has none', async () => {
    const guests = [await shop.cartWith({ var_m: 1 }), await shop.cartWith({ var_m: 2, var_l: 1 })]
    const [one, other] = await Promise.all(guests.map(({ id }) => read(id, ada)))
    const last = cartOf(await shop.call('POST', '/carts', {}, ada))
    expect([one?.id, other?.id]).toEqual([last.id, last.id])
    expect(new Map(contentOf(last))).toEqual(
      new Map([
        ['var_m', 3],
        ['var_l', 1],
      ]),
    )
  })

  test('of a customer in many tabs create one cart', async () => {
    const carts = await Promise.all(Array.from({ length: 8 }, () => shop.call('POST', '/carts', {}, ada)))
    expect(new Set(carts.map((each) => cartOf(each).id)).size).toBe(1)
  })

  test('of two customers for one guest cart give it to one of them', async () => {
    const eve = shop.suite.headers.customer(`cus_eve${customers++}`)
    const own = await Promise.all([ada, eve].map((headers) => shop.cartWith({ var_m: 1 }, headers)))
    const guest = await shop.cartWith({ var_m: 1 })
    const responses = await Promise.all([ada, eve].map((headers) => get(guest.id, headers)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 404]))
    const quantities = await Promise.all(
      own.map(async ({ id }, nth) => (await read(id, nth === 0 ? ada : eve)).lines[0]?.quantity),
    )
    expect(quantities).toEqual(responses.map(({ status }) => (status === 200 ? 2 : 1)))
  })
})
