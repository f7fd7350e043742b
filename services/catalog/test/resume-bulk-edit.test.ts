import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BulkEdit } from '@storefront/contracts'
import { amount, createSuite, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { bulkEditsOf, manyIds, whileLocked } from './bulk-edits.ts'
import { FREQUENT_POLLS, startTestCatalog } from './catalog.ts'
import { spawnCatalog } from './catalog-process.ts'

let suite: Suite
let catalog: RunningCatalog
let child: ChildProcess | undefined

const { start, finished, read, put } = bulkEditsOf(() => ({ suite, catalog }))

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, ENV)
})
afterEach(() => void child?.kill('SIGKILL'))
afterAll(() => suite.stop())

const BATCH = amount({ quick: 20, long: 500 })
/** Ten more than a batch. */
const PRODUCTS = BATCH + 10
const LAST = manyIds(PRODUCTS).at(-1)
const ENV = { ...FREQUENT_POLLS, BULK_EDIT_BATCH: String(BATCH) }
const CHANGE = { kind: 'price', percent: -10 }

/** Each product was changed once, by its price and by the audit. */
async function expectEachOnce(id: string): Promise<void> {
  expect(await read(id)).toMatchObject({ state: 'done', done: PRODUCTS, changed: PRODUCTS, unchanged: 0, failed: 0 })
  expect(await suite.sql('select price_minor as price, count(*)::int from catalog.products group by 1')).toEqual([
    { price: 3600, count: PRODUCTS },
  ])
  expect(
    await suite.sql(
      `select entries, count(*)::int from (
         select count(*)::int as entries from catalog.audit_entries where action = 'bulk-edit' group by subject_id) as each
       group by 1`,
    ),
  ).toEqual([{ entries: 1, count: PRODUCTS }])
}

test('a bulk edit whose service is killed in the middle is finished by the next one, each product once', async () => {
  await put(manyIds(PRODUCTS), { sizes: ['M'] })
  await catalog.stop()
  const { url, child: started } = await spawnCatalog(suite, ENV)
  child = started
  const exited = once(child, 'exit')
  await waitFor('the service', async () => (await fetch(`${url}/readyz`)).ok)
  const id = await whileLocked(suite, `product_responses where product_id = '${LAST}'`, async () => {
    const reply = await fetch(`${url}/admin/products/bulk`, {
      method: 'POST',
      headers: { ...suite.headers.admin(), 'content-type': 'application/json' },
      body: JSON.stringify({ products: { filter: {} }, change: CHANGE }),
    })
    const edit = BulkEdit.parse(await reply.json())
    // The products of the second batch are changed by then, and their events and the progress are written.
    await waitForLock(suite, 'product_responses')
    child?.kill('SIGKILL')
    return edit.id
  })
  await exited
  const [half] = await suite.sql<{ changed: number; state: string }>('select changed, state from catalog.bulk_edits')
  expect(half).toEqual({ changed: BATCH, state: 'running' })
  expect(await suite.sql('select 1 from catalog.products where price_minor = 3600')).toHaveLength(BATCH)

  catalog = await startTestCatalog(suite, ENV)
  await finished({ id })
  await expectEachOnce(id)
})

test('two replicas share the bulk edits, and change each product once', async () => {
  const other = await startTestCatalog(suite, ENV)
  try {
    await put([])
    await suite.sql('delete from catalog.bulk_edits')
    await put(manyIds(PRODUCTS), { sizes: ['M'] })
    const edits = [await start({ filter: {} }, CHANGE), await start({ filter: {} }, { kind: 'tags', add: ['twice'] })]
    for (const edit of edits) expect(await finished(edit)).toMatchObject({ changed: PRODUCTS })
    const changed = await suite.sql(`select 1 from catalog.products where price_minor = 3600 and tags = '{twice}'`)
    expect(changed).toHaveLength(PRODUCTS)
  } finally {
    await other.stop()
  }
})
