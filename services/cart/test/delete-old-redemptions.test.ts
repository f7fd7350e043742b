import { createDatabase } from '@storefront/postgres'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CartTables, Database } from '../src/database.ts'
import { deleteOldRedemptions } from '../src/discounts/redemptions.queries.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const LONG_AGO = new Date('2026-01-01T12:00:00.000Z')

let suite: Suite
let db: Database

beforeAll(async () => {
  suite = await createSuite('cart')
  db = createDatabase<CartTables>({ url: suite.databaseUrl('cart'), poolSize: 1, name: 'test', log: suite.log })
  await suite.sql(
    `insert into cart.carts (id, created_at, expires_at) values ('cart_kept', now(), now() + interval '1 day')`,
  )
  await suite.sql(`insert into cart.discounts (id, code, kind, value, active, created_at, updated_at)
    overriding system value values (7, 'KEPT', 'percent', 10, true, now(), now())`)
})
afterAll(async () => {
  await db.destroy()
  await suite.stop()
})

async function insertRedemption(
  id: string,
  redemption: { discountId: number; cartId: string; status: string; expiresAt: Date },
) {
  await suite.sql(
    `insert into cart.discount_redemptions (id, generation, discount_id, code, cart_id, status, held_at, expires_at)
     values ($1, 1, $2, 'ANY', $3, $4, $5, $5)`,
    [id, redemption.discountId, redemption.cartId, redemption.status, redemption.expiresAt],
  )
}

test('discount redemptions that no longer count are deleted in batches, and no others', async () => {
  const gone = { discountId: 7, cartId: 'cart_gone', status: 'released', expiresAt: LONG_AGO }
  await insertRedemption('that was released', gone)
  await insertRedemption('of a discount that is gone', { ...gone, discountId: 8, status: 'used' })
  await insertRedemption('that counts', { ...gone, cartId: 'cart_gone_too', status: 'used' })
  await insertRedemption('that is held', { ...gone, cartId: 'cart_slow', status: 'held' })
  await insertRedemption('of a cart that is there', { ...gone, cartId: 'cart_kept' })
  await insertRedemption('of today', { ...gone, cartId: 'cart_new', expiresAt: NOW })
  const before = new Date(NOW.getTime() - 1)
  expect([await deleteOldRedemptions(db, before, 1), await deleteOldRedemptions(db, before, 1)]).toEqual([1, 1])
  expect(await deleteOldRedemptions(db, before, 1)).toBe(0)
  const left = await suite.sql<{ id: string }>('select id from cart.discount_redemptions order by id')
  expect(left.map(({ id }) => id)).toEqual(['of a cart that is there', 'of today', 'that counts', 'that is held'])
})
