import type { Messaging } from '@storefront/messaging'
import { CustomerReclaimed } from '@storefront/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consumed, publishEvent } from './events.ts'
import { quoteCart } from './orders.ts'
import { cartOf, createShop, type Shop } from './shop.ts'

let shop: Shop
let identity: Messaging

beforeAll(async () => {
  shop = await createShop()
  await shop.shelf.put('var_m')
  identity = await shop.suite.openMessaging('identity')
})
afterAll(() => shop.stop())

/** A guest cart that this customer claims by opening it. */
async function claimedCart(headers: object): Promise<string> {
  const { id } = await shop.cartWith({ var_m: 1 })
  await shop.suite.sql(`update cart.carts set created_at = created_at - interval '2 seconds' where id = $1`, [id])
  expect(cartOf(await shop.call('GET', `/carts/${id}`, undefined, headers)).id).toBe(id)
  return id
}

const isStored = async (id: string) => (await shop.suite.sql('select from cart.carts where id = $1', [id])).length === 1

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

test('a guest cart that was claimed after the account was reclaimed stays, although it is older', async () => {
  const at = new Date().toISOString()
  const claimed = await claimedCart(shop.suite.headers.customer('cus_back'))
  await consumed(shop, await publishEvent(identity, CustomerReclaimed, { customerId: 'cus_back' }, { at }))
  expect(await isStored(claimed)).toBe(true)
})

test('a guest cart that was claimed before is deleted, even if it has been at the checkout since', async () => {
  const orders = await shop.suite.openMessaging('orders')
  const as = shop.suite.headers.customer('cus_planted')
  const planted = await claimedCart(as)
  await shop.suite.sql(`update cart.carts set claimed_at = claimed_at - interval '1 second' where id = $1`, [planted])
  const at = new Date().toISOString()
  expect((await quoteCart(orders, planted, as)).cartId).toBe(planted)
  await consumed(shop, await publishEvent(identity, CustomerReclaimed, { customerId: 'cus_planted' }, { at }))
  expect(await isStored(planted)).toBe(false)
})
