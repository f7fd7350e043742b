import type { Messaging } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { newId, OrderPlaced, type Cart } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeOrderedCarts } from '../src/cart/close-ordered-carts.ts'
import { publishEvent } from './events.ts'
import { placedOrder } from './orders.ts'
import { cartOf, contentOf, createShop, errorOf, type Shop } from './shop.ts'

let shop: Shop
let orders: Messaging

beforeAll(async () => {
  shop = await createShop()
  await shop.shelf.put('var_m')
  orders = await shop.suite.openMessaging('orders')
})
afterAll(() => shop.stop())

/** Publishes the event as orders does. */
const placeOrder = ({ id: cartId, lines }: Pick<Cart, 'id' | 'lines'>, id?: string) =>
  publishEvent(orders, OrderPlaced, placedOrder(cartId, lines), { id })

const get = (id: string, headers?: object) => shop.call('GET', `/carts/${id}`, undefined, headers)
const closed = (id: string, headers?: object) =>
  waitFor('the cart to be closed', async () => (await get(id, headers)).status === 404)

test('a cart that became an order no longer exists, for any operation', async () => {
  const cart = await shop.cartWith({ var_m: 1 })
  await placeOrder(cart)
  await closed(cart.id)
  const line = `/carts/${cart.id}/lines/${cart.lines[0]?.id}`
  const responses = [
    await get(cart.id),
    await shop.call('POST', `/carts/${cart.id}/lines`, { variant_id: 'var_m', quantity: 1 }),
    await shop.call('PATCH', line, { quantity: 2 }),
    await shop.call('DELETE', line),
    await shop.call('DELETE', `/carts/${cart.id}/lines`),
  ]
  for (const response of responses) expect(errorOf(response)).toMatchObject({ status: 404, code: 'cart_not_found' })
})

test('no index of carts has a column that changes when a cart is closed, nor a condition on one', async () => {
  const indexes = await shop.suite.sql<{ definition: string }>(
    `select indexdef as definition from pg_indexes where schemaname = 'cart' and tablename = 'carts'`,
  )
  expect(indexes.length).toBeGreaterThan(1)
  for (const { definition } of indexes) expect(definition).not.toMatch(/\b(?:status|lines|version)\b/)
})

test('the event may arrive twice, and for an unknown cart, and other carts stay open', async () => {
  const [bought, other] = [await shop.cartWith({ var_m: 1 }), await shop.cartWith({ var_m: 1 })]
  const eventId = newId('event')
  await placeOrder({ id: 'cart_nothing', lines: [] })
  await placeOrder(bought, eventId)
  await placeOrder(bought, eventId)
  await placeOrder(bought)
  const last = await shop.cartWith({ var_m: 1 })
  await placeOrder(last)
  await closed(last.id)
  expect((await get(bought.id)).status).toBe(404)
  expect(cartOf(await get(other.id)).lines).toHaveLength(1)
})

test('a customer gets a new cart after the order', async () => {
  const ada = shop.suite.headers.customer('cus_ada')
  const cart = await shop.cartWith({ var_m: 1 }, ada)
  await placeOrder(cart)
  await closed(cart.id, ada)
  const next = cartOf(await shop.call('POST', '/carts', {}, ada))
  expect(next.id).not.toBe(cart.id)
  expect(next.lines).toEqual([])
})

test('carts are closed under the lock of each of their owners', async () => {
  const headersOf = (customerId: string) => shop.suite.headers.customer(customerId)
  const owners = [headersOf('cus_mona'), headersOf('cus_nell'), headersOf('cus_mona'), {}]
  const carts = await Promise.all(owners.map((headers) => shop.cartWith({}, headers)))
  const placed = new Map(carts.map(({ id }) => [id, { lines: [], lineIds: new Set<string>(), cartIds: [id] }]))
  const isFree = async (customerId: string) => {
    const [row] = await shop.suite.sql<{ free: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('carts of ' || $1::text, 0)) as free`,
      [customerId],
    )
    return row?.free
  }
  const free = await transaction(shop.cart.context.db, async (tx) => {
    await closeOrderedCarts(tx, placed, { now: new Date(), ttlDays: 30 })
    return Promise.all(['cus_mona', 'cus_nell', 'cus_other'].map(isFree))
  })
  expect(free).toEqual([false, false, true])
})

describe('lines that were added to a cart after its checkout', () => {
  const add = async (id: string, variantId: string, quantity: number, headers: object) =>
    cartOf(await shop.call('POST', `/carts/${id}/lines`, { variant_id: variantId, quantity }, headers))
  const open = async (headers: object) => cartOf(await shop.call('POST', '/carts', {}, headers))
  beforeAll(() => shop.shelf.put('var_l'))

  test('are in a new cart of the customer, once', async () => {
    const bea = shop.suite.headers.customer('cus_bea')
    const bought = await shop.cartWith({ var_m: 1 }, bea)
    await add(bought.id, 'var_m', 2, bea)
    await add(bought.id, 'var_l', 1, bea)
    await placeOrder(bought)
    await closed(bought.id, bea)
    const next = await open(bea)
    expect(next.id).not.toBe(bought.id)
    const rest = [
      ['var_m', 2],
      ['var_l', 1],
    ]
    expect(contentOf(next)).toEqual(rest)
    // Under another event id, so that only the state of the cart shows that it is a repetition.
    await placeOrder(bought)
    const last = await shop.cartWith({ var_m: 1 })
    await placeOrder(last)
    await closed(last.id)
    expect(contentOf(await open(bea))).toEqual(rest)
    expect((await get(bought.id, bea)).status).toBe(404)
  })

  test('are added to a cart that the customer has begun meanwhile', async () => {
    const cora = shop.suite.headers.customer('cus_cora')
    const bought = await shop.cartWith({ var_m: 1 }, cora)
    await add(bought.id, 'var_l', 2, cora)
    const begun = await shop.cartWith({ var_m: 3, var_l: 1 }, cora)
    await placeOrder(bought)
    await closed(bought.id, cora)
    const next = await open(cora)
    expect(next.id).toBe(begun.id)
    expect(contentOf(next)).toEqual([
      ['var_m', 3],
      ['var_l', 3],
    ])
  })

  test('are in a new cart when another cart of the customer is closed at the same moment', async () => {
    const dates = { now: new Date(), ttlDays: 30 }
    // The carts are closed in the order of their ids, which are random.
    for (const name of ['gwen', 'hope', 'ines', 'judy', 'kate', 'lena']) {
      const headers = shop.suite.headers.customer(`cus_${name}`)
      const bought = await shop.cartWith({ var_m: 1 }, headers)
      await add(bought.id, 'var_l', 2, headers)
      const other = await shop.cartWith({ var_m: 3 }, headers)
      const orderOf = ({ id, lines }: Cart) => ({
        lines,
        lineIds: new Set(lines.map((line) => line.id)),
        cartIds: [id],
      })
      const placed = new Map([bought, other].map((cart) => [cart.id, orderOf(cart)]))
      await transaction(shop.cart.context.db, (tx) => closeOrderedCarts(tx, placed, dates))
      const next = await open(headers)
      expect([bought.id, other.id]).not.toContain(next.id)
      expect(contentOf(next)).toEqual([['var_l', 2]])
    }
  })

  test('do not exist when lines were removed instead, and no cart is created', async () => {
    const dora = shop.suite.headers.customer('cus_dora')
    const bought = await shop.cartWith({ var_m: 3, var_l: 1 }, dora)
    await shop.call('PATCH', `/carts/${bought.id}/lines/${bought.lines[0]?.id}`, { quantity: 1 }, dora)
    await placeOrder(bought)
    await closed(bought.id, dora)
    expect(await shop.suite.sql(`select 1 from cart.carts where customer_id = 'cus_dora'`)).toHaveLength(1)
    expect((await open(dora)).lines).toEqual([])
  })

  test('of a guest are closed together with the cart', async () => {
    const bought = await shop.cartWith({ var_m: 1 })
    const [, added] = (await add(bought.id, 'var_l', 1, {})).lines
    await placeOrder(bought)
    await closed(bought.id)
    expect((await get(bought.id)).status).toBe(404)
    const holders = `select id, status from cart.carts where lines::text like '%' || $1 || '%'`
    expect(await shop.suite.sql(holders, [added?.id])).toEqual([{ id: bought.id, status: 'converted' }])
  })
})
