import { sendRequest, type Messaging } from '@storefront/messaging'
import { CheckCartOrdered } from '@storefront/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUYER, createShop, holdRelay, orderOf, type Shop } from './shop.ts'

let shop: Shop
let cart: Messaging

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1)
  cart = await shop.suite.openMessaging('cart')
})
afterAll(() => shop.stop())

const isOrdered = async (cartId: string) => (await sendRequest(cart, CheckCartOrdered, { cartId })).ordered

test('a cart counts as ordered as soon as its checkout has its response, before any event is consumed', async () => {
  const [bought, rejected] = [shop.addCart(), shop.addCart()]
  expect(await isOrdered(bought.id)).toBe(false)
  const release = await holdRelay(shop.suite)
  orderOf(await shop.checkOut(bought.id))
  expect(await isOrdered(bought.id)).toBe(true)
  await release()
  expect((await shop.checkOut(rejected.id, BUYER)).status).toBe(409)
  expect(await isOrdered(rejected.id)).toBe(false)
  expect(await isOrdered('cart_nothing')).toBe(false)
})
