import { sql } from 'kysely'
import { createDatabase, transaction } from '@storefront/postgres'
import { Product } from '@storefront/contracts'
import { createSuite, expectLedgerBalanced, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CatalogConfig } from '../src/config.ts'
import type { CatalogTables, Database } from '../src/database.ts'
import { queueRefresh, takeFromRefreshQueue } from '../src/products/responses.queries.ts'
import { ItemCache, withItems } from '../src/products/item-cache.ts'
import type { RunningCatalog } from '../src/start.ts'
import { fill, shirt, startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog
let db: Database
let cache: ItemCache

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  const url = CatalogConfig.shape.DATABASE_URL.parse(suite.env('catalog')['DATABASE_URL'])
  db = createDatabase<CatalogTables>({ url, poolSize: 4, name: 'item cache', log: suite.log })
  cache = new ItemCache()
})

afterAll(async () => {
  await db.destroy()
  await expectLedgerBalanced(suite)
  await suite.stop()
})

const save = (...products: unknown[]) => fill(catalog.app, suite, { products })

const found = async (...ids: string[]) => (await cache.find(db, ids)).items
const inventoryIn = (json: Buffer | undefined) =>
  Product.parse(JSON.parse(String(json))).variants.map(({ inventory }) => inventory)

test('an item comes from memory until its product changes, even in a field that does not affect lists', async () => {
  const cap = (inventory: number) => shirt('cap', { id: 'prod_cap', sizes: ['One'], inventory })
  await save(cap(7))
  const [first] = await found('prod_cap')
  expect(inventoryIn(first?.json)).toEqual([7])
  expect((await found('prod_cap'))[0]?.json).toBe(first?.json)
  const { version } = await cache.find(db, [])
  await save(cap(6))
  const changed = await cache.find(db, ['prod_cap'])
  expect(changed.version).toBe(version)
  expect(inventoryIn(changed.items[0]?.json)).toEqual([6])
})

test('items come in the requested order, whether they were cached or not', async () => {
  await save(...['a', 'b', 'c'].map((slug) => shirt(slug, { id: `prod_${slug}` })))
  const slugs = async (...ids: string[]) => (await found(...ids)).map(({ slug }) => slug)
  expect(await slugs('prod_b')).toEqual(['b'])
  expect(await slugs('prod_c', 'prod_b', 'prod_a')).toEqual(['c', 'b', 'a'])
  expect(await slugs('prod_a', 'prod_nowhere', 'prod_c')).toEqual(['a', 'c'])
})

test('a deleted product is not shown from memory, nor in place of a new product with its id', async () => {
  await save(shirt('hat', { id: 'prod_hat', title: 'Old hat' }))
  expect(String((await found('prod_hat'))[0]?.json)).toContain('Old hat')
  const gone = await catalog.app.inject({
    method: 'DELETE',
    url: '/admin/products/prod_hat',
    headers: suite.headers.admin(),
  })
  expect(gone.statusCode, gone.payload).toBe(200)
  expect(await found('prod_hat')).toEqual([])
  await save(shirt('hat', { id: 'prod_hat', title: 'New hat' }))
  expect(String((await found('prod_hat'))[0]?.json)).toContain('New hat')
})

test('a document is assembled from text and items, with commas between the items', () => {
  const item = (json: string) => ({ slug: '', json: Buffer.from(json) })
  expect(String(withItems('[', [item('{"é":1}'), item('2')], ',', [item('3')], ',"é"]'))).toBe('[{"é":1},2,3,"é"]')
  expect(String(withItems('{"none":[', [], ']}'))).toBe('{"none":[]}')
})

test('no more products are taken for a refresh than requested, whatever the query plan', async () => {
  const rollback = new Error('rolled back, because the service processes the queue as well')
  const taking = transaction(db, async (tx) => {
    await queueRefresh(tx, ['prod_q1', 'prod_q2', 'prod_q3'])
    // The only plan left is a loop that runs the inner query again for every row.
    for (const way of ['hashjoin', 'mergejoin', 'material', 'hashagg', 'sort']) {
      await sql`set local ${sql.raw(`enable_${way}`)} to off`.execute(tx)
    }
    expect(await takeFromRefreshQueue(tx, 2, { fingerprint: '', now: new Date() })).toHaveLength(2)
    throw rollback
  })
  await expect(taking).rejects.toBe(rollback)
})
