import { manualClock } from '@storefront/service/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cartOf, contentOf, createShop, errorOf, type Shop } from './shop.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const clock = manualClock(new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS))
let shop: Shop

beforeAll(async () => {
  shop = await createShop({ clock, env: { CART_TTL_DAYS: '30' } })
  await shop.shelf.put('var_m')
})
afterAll(() => shop.stop())

test('a cart expires at the full hour 30 days after its last change, for every operation', async () => {
  const { id } = await shop.cartWith({ var_m: 1 })
  clock.advance(20 * DAY_MS + 20 * MINUTE_MS)
  const read = () => shop.call('GET', `/carts/${id}`)
  const line = `/carts/${id}/lines/${cartOf(await read()).lines[0]?.id}`
  cartOf(await shop.call('PATCH', line, { quantity: 3 }))
  clock.advance(30 * DAY_MS + 40 * MINUTE_MS - 1)
  expect(contentOf(cartOf(await read()))).toEqual([['var_m', 3]])
  clock.advance(1)
  const responses = [
    await read(),
    await shop.call('POST', `/carts/${id}/lines`, { variant_id: 'var_m', quantity: 1 }),
    await shop.call('PATCH', line, { quantity: 1 }),
    await shop.call('DELETE', line),
    await shop.call('DELETE', `/carts/${id}/lines`),
  ]
  for (const response of responses) expect(errorOf(response)).toMatchObject({ status: 404, code: 'cart_not_found' })
})
