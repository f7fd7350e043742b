import { expectShopBalanced } from '@storefront/tests/shop-balance'
import { openShop, type TestShop } from '@storefront/tests/shop'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ageShop } from './age-shop.ts'

const List = z.object({ total: z.int(), counts: z.record(z.string(), z.int()) })
const ORDERS = 3000
const ORIGINALS = 200

let shop: TestShop

beforeAll(async () => {
  shop = await openShop({ ownServers: true })
  for (const slug of ['shirt', 'scarf', 'coat', 'belt']) await shop.stockProduct(slug, 1000)
  await ageShop(shop.shop, { orders: ORDERS, customers: 900 })
})
afterAll(() => shop.stop())

test('the history of a shop is one that its services could have written', async () => {
  // Each sale of a copy has a delivery of goods.
  const delivered = await shop.sql<{ id: string; units: number }>(`
    select variant_id as id, sum(on_hand_delta)::int as units from catalog.stock_movements where kind = 'adjusted' group by 1`)
  const units = new Map(shop.stocked)
  for (const { id, units: more } of delivered) units.set(id, (units.get(id) ?? 0) + more)
  await expectShopBalanced(shop, units)
  const { body } = await shop.admin.get('/admin/orders')
  const { total, counts } = List.parse(body)
  expect(total).toBe(ORDERS + ORIGINALS)
  expect(counts).toMatchObject({ placed: 0, paid: expect.any(Number), cancelled: expect.any(Number) })
})

test('an old order is found by its number, and each step belongs to an order', async () => {
  const found = List.parse((await shop.admin.get('/admin/orders?q=SF-20042')).body)
  expect(found.total).toBe(1)
  const [orphan] = await shop.sql<{ count: number }>(
    `select count(*)::int as count from orders.order_timeline t left join orders.orders o on o.id = t.order_id where o.id is null`,
  )
  expect(orphan).toEqual({ count: 0 })
})
