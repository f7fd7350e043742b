import { afterAll, beforeAll, expect, test } from 'vitest'
import { cartOf, contentOf, createShop, errorOf, usd, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  await shop.shelf.put('var_m')
  await shop.shelf.configure({ commerce: { shippingMethods: [{ id: 'standard', price: usd(600) }] } })
})
afterAll(() => shop.stop())

test('emptying a cart removes everything, shipping included, and may be repeated', async () => {
  const { id } = await shop.cartWith({ var_m: 2 })
  for (let time = 1; time <= 2; time++) {
    expect(cartOf(await shop.call('DELETE', `/carts/${id}/lines`))).toMatchObject({
      id,
      lines: [],
      shipping: usd(0),
      total: usd(0),
    })
  }
})

test('an empty cart can be filled again', async () => {
  const { id } = await shop.cartWith({ var_m: 2 })
  await shop.call('DELETE', `/carts/${id}/lines`)
  const filled = await shop.call('POST', `/carts/${id}/lines`, { variant_id: 'var_m', quantity: 1 })
  expect(contentOf(cartOf(filled))).toEqual([['var_m', 1]])
})

test('a cart that does not exist cannot be emptied', async () => {
  expect(errorOf(await shop.call('DELETE', '/carts/cart_nothing/lines'))).toMatchObject({
    status: 404,
    code: 'cart_not_found',
  })
})
