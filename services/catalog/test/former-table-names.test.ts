import { createDatabase } from '@storefront/postgres'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CatalogTables, Database } from '../src/database.ts'

let suite: Suite
let previousVersion: Database

beforeAll(async () => {
  suite = await createSuite('catalog')
  const url = suite.databaseUrl('catalog')
  previousVersion = createDatabase<CatalogTables>({ url, poolSize: 1, name: 'test', log: suite.log })
})
afterAll(async () => {
  await previousVersion.destroy()
  await suite.stop()
})

const run = async (text: string) => (await sql.raw(text).execute(previousVersion)).rows

test('a replica of the previous version writes responses by the former name of their table', async () => {
  await suite.sql(`insert into catalog.products
    (id, slug, title, published, document, price_minor, currency, tags, created_at, fingerprint)
    values ('prod_1', 'shirt', 'Shirt', true, '{}', 100, 'USD', '{}', now(), '')`)
  const save = (page: string) =>
    run(`insert into catalog.product_answers (product_id, slug, item, page) values ('prod_1', 'shirt', '{}', '${page}')
         on conflict (product_id) do update set page = excluded.page, revision = excluded.revision`)
  const stored = () =>
    suite.sql<{ page: string; revision: number }>('select page, revision from catalog.product_responses')
  await save('first')
  const [first] = await stored()
  await save('second')
  const [second] = await stored()
  expect([first?.page, second?.page]).toEqual(['first', 'second'])
  expect(second?.revision).toBeGreaterThan(first?.revision ?? Infinity)
  await run(`delete from catalog.product_answers where product_id = any(array['prod_1'])`)
  expect(await stored()).toEqual([])
})

test('a replica of the previous version numbers events and stores its format by the former names', async () => {
  const [before] = await suite.sql<{ version: number }>('select version from catalog.bulk_event_version')
  await run('update catalog.bulk_news set version = greatest(version + 1, 0) returning version')
  const [after] = await suite.sql<{ version: number }>('select version from catalog.bulk_event_version')
  expect(Number(after?.version)).toBe(Number(before?.version) + 1)

  const renew = (fingerprint: string) =>
    run(`insert into catalog.answer_format (fingerprint) values ('${fingerprint}')
         on conflict (only_row) do update set fingerprint = excluded.fingerprint
         where answer_format.fingerprint <> excluded.fingerprint returning 1 as renewed`)
  expect(await renew('one')).toEqual([{ renewed: 1 }])
  expect(await renew('one')).toEqual([])
  expect(await suite.sql('select fingerprint from catalog.response_format')).toEqual([{ fingerprint: 'one' }])
})
