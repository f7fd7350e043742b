import type { Messaging } from '@storefront/messaging'
import { CustomerReclaimed, eventSubject, newId } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  const id = newId('event')
  const envelope = { id, name: CustomerReclaimed.name, at, data: { customerId: 'cus_reclaimed' } }
  identity.connection().publish(eventSubject(shop.suite.namespace, CustomerReclaimed), JSON.stringify(envelope))
  await waitFor('the event to be consumed', async () => {
    const rows = await shop.suite.sql('select 1 from cart.inbox where event_id = $1', [id])
    return rows.length > 0
  })
  const left = await shop.suite.sql<{ id: string }>('select id from cart.carts where id = any($1)', [
    [planted.id, other.id, later.id],
  ])
  expect(left.map((cart) => cart.id).toSorted()).toEqual([other.id, later.id].toSorted())
})
