import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { amount, createSuite, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { bulkEditsOf, manyIds, whileLocked } from './bulk-edits.ts'
import { FREQUENT_POLLS, startTestCatalog } from './catalog.ts'
import { spawnCatalog } from './catalog-process.ts'

/** More products than one transaction publishes. */
const PRODUCTS = amount({ quick: 110, long: 250 })

let suite: Suite
let catalog: RunningCatalog
let child: ChildProcess | undefined

const { put } = bulkEditsOf(() => ({ suite, catalog }))

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, FREQUENT_POLLS)
  await put(manyIds(PRODUCTS), { sizes: ['M'] })
})
afterEach(() => void child?.kill('SIGKILL'))
afterAll(() => suite.stop())

/** Sets a time that has come, for drafts that no merchant changes meanwhile. */
async function makeDue(): Promise<void> {
  await suite.sql(`update catalog.products set published = false, fingerprint = '', publish_at = now() - place * interval '1 second'
    from (select id as product, row_number() over (order by id desc) as place from catalog.products) as numbered
    where id = product`)
}

const published = async () => (await suite.sql('select 1 from catalog.products where published')).length

/** Each was published once, by its version, the audit and the events. */
async function expectEachOnce(): Promise<void> {
  expect(
    await suite.sql(
      `select entries, count(*)::int from (select count(*)::int as entries from catalog.audit_entries
         where actor = 'schedule' group by subject_id) as each group by 1`,
    ),
  ).toEqual([{ entries: 1, count: PRODUCTS }])
  expect(await suite.sql('select version, count(*)::int from catalog.products group by 1')).toEqual([
    { version: 2, count: PRODUCTS },
  ])
  expect(await suite.sql('select 1 from catalog.products where publish_at is not null')).toEqual([])
}

test('a service that is killed while it publishes leaves no product half published, and the next one publishes the rest', async () => {
  await catalog.stop()
  await suite.sql('delete from catalog.audit_entries')
  await suite.sql('update catalog.products set version = 1')
  await makeDue()
  await whileLocked(suite, `product_responses where product_id = 'shirt-0105'`, async () => {
    child = (await spawnCatalog(suite, FREQUENT_POLLS)).child
    const exited = once(child, 'exit')
    // The second hundred is changed by then, and its events and audit are written.
    await waitForLock(suite, 'product_responses')
    child.kill('SIGKILL')
    await exited
  })
  expect(await published()).toBe(100)
  catalog = await startTestCatalog(suite, FREQUENT_POLLS)
  await waitFor('all to be published', async () => (await published()) === PRODUCTS)
  await expectEachOnce()
})

test('two replicas publish each product once', async () => {
  const other = await startTestCatalog(suite, FREQUENT_POLLS)
  try {
    await suite.sql('delete from catalog.audit_entries')
    await suite.sql('update catalog.products set version = 1')
    await makeDue()
    await waitFor('all to be published', async () => (await published()) === PRODUCTS)
    await expectEachOnce()
  } finally {
    await other.stop()
  }
})
