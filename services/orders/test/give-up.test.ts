import { sendRequest } from '@storefront/messaging'
import { OrderPlaced, SettleClaims } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BUYER, createShop, orderOf, errorOf, waitForInsert, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
})
afterAll(() => shop.stop())

beforeEach(() => shop.stock.set('var_m', 5))
afterEach(() => shop.reset())

const ordersOf = (cartId: string) => shop.suite.sql('select id from orders.orders where cart_id = $1', [cartId])
/** Goods are released, nothing is published, and the claim can never become an order. */
async function expectGivenUp(cartId: string): Promise<void> {
  expect(await ordersOf(cartId)).toEqual([])
  expect(shop.stock.held()).toEqual([])
  expect(shop.stock.available('var_m')).toBe(5)
  const claim = shop.released.at(-1) ?? ''
  const { verdicts } = await sendRequest(shop.catalog, SettleClaims, { claims: [claim] })
  expect(verdicts).toEqual([{ claim, verdict: 'abandoned' }])
  expect((await shop.suite.eventsOf(OrderPlaced)).filter((event) => event.cartId === cartId)).toEqual([])
}

describe('goods that were reserved are released', () => {
  test('when the database rejects the order, and the buyer gets only a general error', async () => {
    await shop.suite.sql(
      `alter table orders.orders add constraint no_eve check (email <> 'eve@mail.example') not valid`,
    )
    const { id } = shop.addCart({ var_m: 3 })
    const response = await shop.checkOut(id, { ...BUYER, email: 'eve@mail.example' })
    expect(errorOf(response)).toEqual({
      status: 500,
      code: 'internal_error',
      message: 'Something went wrong on our side. Please try again.',
      detail: undefined,
    })
    await expectGivenUp(id)
    await shop.suite.sql('alter table orders.orders drop constraint no_eve')
    expect(orderOf(await shop.checkOut(id)).status).toBe('placed')
    expect(shop.stock.available('var_m')).toBe(2)
  })

  test('when the connection to the database breaks while the order is written', async () => {
    const { id } = shop.addCart({ var_m: 3 })
    await shop.suite.sql('begin')
    await shop.suite.sql('lock table orders.orders in exclusive mode')
    const checkout = shop.checkOut(id)
    const pid = await waitForInsert(shop.suite)
    await shop.suite.sql('select pg_terminate_backend($1)', [pid])
    const response = await checkout
    await shop.suite.sql('rollback')
    expect(errorOf(response)).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(response.headers['retry-after']).toBe('2')
    await expectGivenUp(id)
    // The service keeps running.
    expect(orderOf(await shop.checkOut(id)).status).toBe('placed')
  })

  test('of its own checkout only: a failed one releases nothing of a concurrent one that succeeds', async () => {
    const { id } = shop.addCart({ var_m: 3 })
    await shop.suite.sql('begin')
    await shop.suite.sql('lock table orders.orders in exclusive mode')
    const both = [shop.checkOut(id), shop.checkOut(id)]
    const pid = await waitForInsert(shop.suite)
    await shop.suite.sql('select pg_terminate_backend($1)', [pid])
    await Promise.race(both)
    await shop.suite.sql('rollback')
    const responses = await Promise.all(both)
    const [order] = await ordersOf(id)
    const held = shop.stock.held()
    // Whichever comes first, an order has its goods, and without an order nothing is reserved.
    expect(held).toHaveLength(order ? 1 : 0)
    expect(responses.filter(({ status }) => status === 200).length > 0).toBe(order !== undefined)
    const placed = orderOf(await shop.checkOut(id, BUYER, cookieOf(responses)))
    expect(await shop.suite.sql('select claim from orders.orders where id = $1', [placed.id])).toEqual([
      { claim: shop.stock.held()[0] },
    ])
  })
})

test('a redemption of a code that was applied between two checkouts of a cart is released when the first one places the order', async () => {
  const cart = shop.addCart({ var_m: 3 })
  await shop.suite.sql('begin')
  await shop.suite.sql('lock table orders.orders in exclusive mode')
  const first = shop.checkOut(cart.id)
  await waitForInsert(shop.suite)
  Object.assign(cart, { discount: 'use_late' })
  const reserved = shop.reservations()
  const second = shop.checkOut(cart.id)
  await waitFor('the goods of the second checkout', () => shop.reservations() > reserved)
  await shop.suite.sql('rollback')
  const [one, other] = [orderOf(await first), orderOf(await second)]
  expect(other.id).toBe(one.id)
  expect(shop.released).toContain('use_late.1')
  const { verdicts } = await sendRequest(shop.catalog, SettleClaims, { claims: ['use_late.1'] })
  expect(verdicts).toEqual([{ claim: 'use_late.1', verdict: 'abandoned' }])
  // These goods belong to the order.
  expect(shop.stock.held()).toHaveLength(1)
})

describe('a catalog that does not reply', () => {
  test('is given up, and the same cart can be ordered later', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    shop.hooks.beforeReserved = () => promise
    const { id } = shop.addCart({ var_m: 3 })
    const response = await shop.checkOut(id)
    expect(errorOf(response)).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(response.headers['retry-after']).toBe('2')
    expect(await ordersOf(id)).toEqual([])
    resolve()
    shop.hooks.beforeReserved = undefined
    // The goods are reserved for this cart, so that it does not count as sold out.
    expect(shop.stock.available('var_m')).toBe(2)
    expect(orderOf(await shop.checkOut(id)).status).toBe('placed')
    expect(shop.stock.held()).toHaveLength(1)
  })
})

function cookieOf(responses: Awaited<ReturnType<Shop['checkOut']>>[]) {
  const placed = responses.find(({ status }) => status === 200)
  return placed?.browser === undefined ? {} : { cookie: `store_browser=${placed.browser}` }
}
