import { listOf, Order } from '@storefront/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { BUYER, cookie, createShop, orderOf, errorOf, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 100)
})
afterAll(() => shop.stop())

const list = async (customerId: string, query = '') => {
  const { body } = await shop.call('GET', `/orders${query}`, undefined, shop.suite.headers.customer(customerId))
  return OrderList.parse(body)
}
const OrderList = listOf(Order).extend({ page: z.int(), perPage: z.int() })

test('a customer sees the orders that they placed while signed in, newest first, and no others', async () => {
  const ada = shop.suite.headers.customer('cus_ada')
  const ids: string[] = []
  for (let each = 0; each < 3; each++) {
    const cart = shop.addCart({ var_m: 1 }, { customerId: 'cus_ada' })
    ids.unshift(orderOf(await shop.checkOut(cart.id, BUYER, ada)).id)
  }
  const eve = shop.addCart({ var_m: 1 }, { customerId: 'cus_eve' })
  await shop.checkOut(eve.id, BUYER, shop.suite.headers.customer('cus_eve'))
  // Ordered as a guest with Ada's email address, which she has not verified.
  await shop.checkOut(shop.addCart().id)
  const { items, total } = await list('cus_ada')
  expect(items.map(({ id }) => id)).toEqual(ids)
  expect(total).toBe(3)
  expect((await list('cus_eve')).total).toBe(1)
  expect(await list('cus_new')).toEqual({ items: [], total: 0, page: 1, perPage: 12 })
})

test('other callers get no list, whatever credentials they send', async () => {
  const { browser, body } = await shop.checkOut(shop.addCart().id)
  const { accessToken } = Order.parse(body)
  const outsiders = [
    {},
    cookie(browser),
    { 'x-order-token': accessToken },
    shop.suite.headers.anonymous(),
    { 'x-actor': 'forged.token' },
    { 'x-actor': shop.suite.headers.customer('cus_ada')['x-actor'].replace(/.$/, '') },
    shop.suite.headers.admin(),
  ]
  for (const headers of outsiders) {
    const response = await shop.call('GET', '/orders', undefined, headers)
    expect(errorOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' })
  }
})

test('a long list comes in pages that together contain each order once, with the total on each', async () => {
  const cart = shop.addCart({ var_m: 1 }, { customerId: 'cus_many' })
  const { id } = orderOf(await shop.checkOut(cart.id, BUYER, shop.suite.headers.customer('cus_many')))
  await shop.suite.sql(
    `insert into orders.orders (id, number, cart_id, customer_id, email, status, placed_at, document, payment_provider,
       payment_status)
     select id || each, number || '-' || each, cart_id || each, customer_id, email, status,
       placed_at - each * interval '1 minute', document, payment_provider, payment_status
     from orders.orders, generate_series(1, 249) as each where id = $1`,
    [id],
  )
  const first = await list('cus_many')
  expect(first).toMatchObject({ total: 250, page: 1, perPage: 12 })
  expect(first.items).toHaveLength(12)
  expect(first.items[0]?.id).toBe(id)
  const ids: string[] = []
  for (let page = 1; page <= 6; page++) {
    const { items, total } = await list('cus_many', `?page=${page}&per_page=48`)
    ids.push(...items.map((order) => order.id))
    expect(total).toBe(250)
  }
  expect(ids).toEqual([id, ...Array.from({ length: 249 }, (_, index) => `${id}${index + 1}`)])
  expect(await list('cus_many', '?page=7&per_page=48')).toMatchObject({ items: [], total: 250 })
})

test('a page number out of range is clamped, and one that is not a number is rejected', async () => {
  const bea = shop.suite.headers.customer('cus_bea')
  orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { customerId: 'cus_bea' }).id, BUYER, bea))
  expect(await list('cus_bea', '?page=0&per_page=1000')).toMatchObject({ page: 1, perPage: 48, total: 1 })
  expect(await list('cus_bea', '?page=-3&per_page=0')).toMatchObject({ page: 1, perPage: 1 })
  for (const query of ['?page=x', '?per_page=1.5', '?per_page=']) {
    const response = await shop.call('GET', `/orders${query}`, undefined, bea)
    expect(errorOf(response)).toMatchObject({ status: 422, code: 'validation_failed' })
  }
})
