import { listOf, Order } from '@storefront/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUYER, cookie, createShop, orderOf, refusal, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 100)
})
afterAll(() => shop.stop())

const list = async (customerId: string) => {
  const { body } = await shop.call('GET', '/orders', undefined, shop.suite.headers.customer(customerId))
  return listOf(Order).parse(body)
}

test('a customer sees the orders he placed while signed in, newest first, and nobody else’s', async () => {
  const ada = shop.suite.headers.customer('cus_ada')
  const ids: string[] = []
  for (let each = 0; each < 3; each++) {
    const cart = shop.addCart({ var_m: 1 }, { customerId: 'cus_ada' })
    ids.unshift(orderOf(await shop.checkOut(cart.id, BUYER, ada)).id)
  }
  const eve = shop.addCart({ var_m: 1 }, { customerId: 'cus_eve' })
  await shop.checkOut(eve.id, BUYER, shop.suite.headers.customer('cus_eve'))
  // Bought as a guest with Ada's e-mail address: not hers before she showed that the address is.
  await shop.checkOut(shop.addCart().id)
  const { items, total } = await list('cus_ada')
  expect(items.map(({ id }) => id)).toEqual(ids)
  expect(total).toBe(3)
  expect((await list('cus_eve')).total).toBe(1)
  expect(await list('cus_new')).toEqual({ items: [], total: 0 })
})

test('nobody else gets a list, whatever else he has', async () => {
  const { browser, body } = await shop.checkOut(shop.addCart().id)
  const { accessToken } = Order.parse(body)
  const strangers = [
    {},
    cookie(browser),
    { 'x-order-token': accessToken },
    shop.suite.headers.anonymous(),
    { 'x-actor': 'forged.token' },
    { 'x-actor': shop.suite.headers.customer('cus_ada')['x-actor'].replace(/.$/, '') },
    shop.suite.headers.admin(),
  ]
  for (const headers of strangers) {
    const answer = await shop.call('GET', '/orders', undefined, headers)
    expect(refusal(answer)).toMatchObject({ status: 401, code: 'unauthenticated' })
  }
})
