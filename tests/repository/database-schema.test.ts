import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createMigratedDatabase, findStaleFiles, type MigratedDatabase } from '@storefront/tools/schema-files'

let database: MigratedDatabase

beforeAll(async () => {
  database = await createMigratedDatabase(inject('servers').databaseAdminUrl)
})

afterAll(() => database.drop())

test('every schema.sql and tables.ts is the result of the migrations', async () => {
  const stale = await findStaleFiles(database)
  expect([...stale.keys()], 'run npm run schema, which updates these files').toEqual([])
})

test('files are stale after a migration, and the type of a column that no longer exists is reported', async () => {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query('alter table cart.cart_aliases rename ordered to bought')
  expect([...(await findStaleFiles(database)).keys()]).toEqual([
    'services/cart/schema.sql',
    'services/cart/src/tables.ts',
  ])
  await client.query('alter table cart.carts rename lines to items')
  await client.end()
  await expect(findStaleFiles(database)).rejects.toThrow(
    'column-types.ts of cart names carts.lines, which does not exist',
  )
})
