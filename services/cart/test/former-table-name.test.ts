import { createDatabase } from '@storefront/postgres'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CartTables, Database } from '../src/database.ts'

let suite: Suite
let previousVersion: Database

beforeAll(async () => {
  suite = await createSuite('cart')
  const url = suite.databaseUrl('cart')
  previousVersion = createDatabase<CartTables>({ url, poolSize: 1, name: 'test', log: suite.log })
})
afterAll(async () => {
  await previousVersion.destroy()
  await suite.stop()
})

test('a replica of the previous version holds, locks and ends redemptions by the former name of their table', async () => {
  const hold = () =>
    sql<{ generation: number }>`
      insert into cart.discount_uses as u (id, generation, discount_id, code, cart_id, status, held_at, expires_at)
       values ('use_1', 1, 1, 'ANY', 'cart_1', 'held', now(), now())
       on conflict (id) do update set generation = u.generation + excluded.generation returning generation`.execute(
      previousVersion,
    )
  expect((await hold()).rows).toEqual([{ generation: 1 }])
  expect((await hold()).rows).toEqual([{ generation: 2 }])
  const ended = await sql`
    update cart.discount_uses set status = 'used' where id in (
       select id from cart.discount_uses where status = 'held' order by id for update skip locked) returning id`.execute(
    previousVersion,
  )
  expect(ended.rows).toEqual([{ id: 'use_1' }])
  expect(await suite.sql('select id, generation, status from cart.discount_redemptions')).toEqual([
    { id: 'use_1', generation: 2, status: 'used' },
  ])
  await sql`delete from cart.discount_uses where id = any(array(select id from cart.discount_uses))`.execute(
    previousVersion,
  )
  expect(await suite.sql('select 1 from cart.discount_redemptions')).toEqual([])
})
