import type { Messaging } from '@storefront/messaging'
import { CustomerReclaimed } from '@storefront/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consumed, publishEvent } from './events.ts'
import { createShop, type Shop } from './shop.ts'

let shop: Shop
let identity: Messaging

beforeAll(async () => {
  shop = await createShop()
  await shop.shelf.put('var_m')
  identity = await shop.suite.openMessaging('identity')
})
afterAll(() => shop.stop())

test('the carts that an account had before it was reclaimed are deleted, and later ones stay', async () => {
  const as = shop.suite.headers.customer('cus_reclaimed')
  const planted = await shop.cartWith({ var_m: 1 }, as)
  await shop.suite.sql(`update cart.carts set created_at = created_at - interval '1 second' where id = $1`, [
    planted.id,
  ])
  const other = await shop.cartWith({ var_m: 1 }, shop.suite.headers.customer('cus_other'))
  const at = new Date().toISOString()
  const later = await shop.cartWith({ var_m: 1 }, as)
  await shop.suite.sql(`update cart.carts set created_at = $2::timestamptz + interval '1 ms' where id = $1`, [
    later.id,
    at,
  ])
  await consumed(shop, await publishEvent(identity, CustomerReclaimed, { customerId: 'cus_reclaimed' }, { at }))
  const left = await shop.suite.sql<{ id: string }>('select id from cart.carts where id = any($1)', [
    [planted.id, other.id, later.id],
  ])
  expect(left.map((cart) => cart.id).toSorted()).toEqual([other.id, later.id].toSorted())
})
