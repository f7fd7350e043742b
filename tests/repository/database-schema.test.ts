import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { SERVICE_NAMES } from '@storefront/contracts'
import { createMigratedDatabase, findStaleFiles } from '@storefront/tools/schema-files'
import { checkRowTypes } from './row-types/row-types.ts'
import { filesBelow, readText } from './source-files.ts'

const WRONG_ROWS = 'tests/repository/row-types/wrong-rows.ts'

let database: Awaited<ReturnType<typeof createMigratedDatabase>>
let faults: Map<string, string[]>

beforeAll(async () => {
  database = await createMigratedDatabase(inject('servers').databaseAdminUrl)
  const paths = ['packages', 'services']
    .flatMap(filesBelow)
    .filter((path) => /\/src\/.*(?<!\.test)\.ts$/.test(path) && readText(path).includes('sql<'))
  faults = await checkRowTypes(database.url, [...paths, WRONG_ROWS])
})

afterAll(() => database.drop())

test('every schema.sql and tables.ts is the result of the migrations', async () => {
  const stale = await findStaleFiles(database)
  expect([...stale.keys()], 'run npm run schema, which updates these files').toEqual([])
})

test('every statement returns the rows that it declares', () => {
  const found = [...faults].filter(([at]) => !at.startsWith(WRONG_ROWS))
  expect(found.length).toBeGreaterThan(250)
  expect(found.flatMap(([at, each]) => each.map((fault) => `${at} ${fault}`))).toEqual([])
})

test('a row that is not what its statement returns is reported', () => {
  expect([...faults].filter(([at]) => at.startsWith(WRONG_ROWS)).map(([, found]) => found)).toEqual([
    ['number is not declared'],
    ['email is not returned'],
    ['orderId is not returned', 'order_id is not declared'],
    ['placed_at is Date, but declared as string'],
    ['claim is string | null, but declared as string'],
    [expect.stringMatching(/^status is "cancelled" .*, but declared as "paid" \| "placed"$/)],
    ['document is OrderDocument, but declared as { id: string; }'],
    ['id is string | null, but declared as string'],
    ['total is number, but declared as string'],
    ['ids is string[], but declared as number[]'],
    ['traceparent is string | null, but declared as string'],
    ['column "order_id" does not exist'],
    ['is not executed where it is written'],
    ['cannot be read from the source: of: RawBuilder<unknown>'],
    [],
  ])
})

test('the tables of a new shop count as never analyzed, so that its first plans read them by their indexes', async ({
  skip,
}) => {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows: versions } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    // Before version 18 PostgreSQL cannot discard an analysis.
    skip((versions[0]?.version ?? 0) < 180_000)
    const { rows } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = any($1) and c.relkind = 'r' and c.relpages = 0 and c.reltuples = 0`,
      [[...SERVICE_NAMES]],
    )
    expect(rows).toEqual([])
  } finally {
    await client.end()
  }
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
