import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { Product } from '@storefront/contracts'
import { type Messaging } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { refreshQueued } from '../src/products/process-refresh-queue.ts'
import { readProducts } from '../src/products/refresh-products.ts'
import type { RunningCatalog } from '../src/start.ts'
import { collectPurges } from './collect-purges.ts'
import { importCatalogue, shirt, startTestCatalog } from './catalog.ts'
import { openWriter } from './save-meanwhile.ts'

let suite: Suite
let catalog: RunningCatalog
let gateway: Messaging
let purged: string[]

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  gateway = await suite.openMessaging('gateway')
  purged = await collectPurges(gateway)
  const saved = await importCatalogue(catalog.app, suite, { products: [shirt('linen')] })
  expect(saved.statusCode).toBe(200)
  await waitFor('the purge of the import', () => purged.includes('product:linen'))
  purged.length = 0
})
afterAll(() => suite.stop())

async function responses() {
  const rows = await suite.sql<{ id: string; revision: string }>(
    'select product_id as id, revision from catalog.product_responses',
  )
  expect(rows).toHaveLength(1)
  return rows[0]
}

/** Works, as another replica, until the queue is empty. */
const untilRefreshed = () =>
  waitFor('the refresh', async () => {
    await refreshQueued(catalog.context)
    return (await suite.sql('select from catalog.refresh_queue')).length === 0
  })

test('a refresh that finds no change writes no response and purges no cache', async () => {
  const before = await responses()
  await suite.sql('insert into catalog.refresh_queue (product_id) select id from catalog.products')
  await untilRefreshed()
  expect(await responses()).toEqual(before)

  const { variants } = Product.parse((await catalog.app.inject({ url: '/products/linen' })).json())
  await suite.sql(`update catalog.stock set on_hand = on_hand + 1 where variant_id = '${variants[0]?.id}'`)
  await suite.sql('insert into catalog.refresh_queue (product_id) select id from catalog.products')
  await untilRefreshed()
  const after = await responses()
  expect(after?.id).toBe(before?.id)
  expect(after?.revision).not.toBe(before?.revision)
  // The gateway gets signals in order, so one of the first refresh would have arrived.
  await waitFor('the purge', () => purged.includes('product:linen'))
  expect(purged.filter((key) => key === 'product:linen')).toHaveLength(1)
})

test('few products are read for their refresh without planning again', async () => {
  const found = await suite.sql<{ id: string }>(`select id from catalog.products where slug = 'linen'`)
  const ids = found.map(({ id }) => id)
  const reader = openWriter(suite)
  try {
    await reader.connection().execute(async (connection) => {
      // The server of the tests makes the plan for any values at once.
      await sql`set plan_cache_mode to auto`.execute(connection)
      for (let time = 0; time < 7; time++) {
        expect(await readProducts(connection, ids, new Date())).toMatchObject([{ slug: 'linen', variants: [{}, {}] }])
      }
      const { rows } = await sql<{ plans: number }>`
        select max(custom_plans)::int as plans from pg_prepared_statements
        where statement ~ 'from (products p left|.select . from variants)'`.execute(connection)
      // PostgreSQL plans five times before it keeps a plan.
      expect(rows).toEqual([{ plans: 5 }])
    })
  } finally {
    await reader.destroy()
  }
})

test('a product that another transaction holds delays the refresh of no other', async () => {
  const saved = await importCatalogue(catalog.app, suite, { products: [shirt('held')] })
  expect(saved.statusCode).toBe(200)
  const queued = async () => {
    const rows = await suite.sql<{ name: string }>(
      'select distinct coalesce(slug, product_id) as name from catalog.refresh_queue left join catalog.products p on p.id = product_id',
    )
    return rows.map(({ name }) => name)
  }
  const writer = openWriter(suite)
  try {
    await transaction(writer, async (tx) => {
      await tx.selectFrom('products').select('id').where('slug', '=', 'held').forUpdate().execute()
      await suite.sql(
        `insert into catalog.refresh_queue (product_id) select id from catalog.products union all select 'prod_deleted'`,
      )
      await waitFor('the refresh of the others', async () => (await queued()).length === 1)
      expect(await queued()).toEqual(['held'])
    })
  } finally {
    await writer.destroy()
  }
  await untilRefreshed()
})

test('a replica whose responses differ from those of the newest one leaves the queue to it while both run', async () => {
  const waiting = async () => (await suite.sql('select from catalog.refresh_queue')).length
  await suite.sql(
    `update catalog.response_format set fingerprint = 'newer', renew_again_at = now() + interval '5 minutes'`,
  )
  await suite.sql('insert into catalog.refresh_queue (product_id) select id from catalog.products')
  const before = await waiting()
  expect(before).toBeGreaterThan(0)
  expect(await refreshQueued(catalog.context)).toBe(0)
  expect(await waiting()).toBe(before)
  // The newest one may have ended in the meantime.
  await suite.sql(`update catalog.response_format set renew_again_at = now() - interval '1 second'`)
  await untilRefreshed()
})
