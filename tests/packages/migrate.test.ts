import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateSchema } from '@storefront/postgres'
import { createSuite, temporaryFolder, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import { Client } from 'pg'

let suite: Suite
let directory: string
const printed: string[] = []

beforeAll(async () => {
  suite = await createSuite('cart')
  directory = await temporaryFolder('migrations')
})
afterAll(() => suite.stop())

function migrate(): Promise<string[]> {
  const print = (line: string) => printed.push(line)
  // Its own: all suites share the roles of services, and PostgreSQL rejects one of two changes of a role at once.
  const role = { role: 'migrate_test', rolePassword: 'unused' }
  return migrateSchema({ adminUrl: suite.databaseAdminUrl, schema: 'held', ...role, directory, print })
}

test('a migration behind a backup waits without blocking the statements of the shop', async () => {
  await writeFile(join(directory, '0001_first.sql'), 'create table things (id int)')
  expect(await migrate()).toContain('0001_first.sql')
  const backup = new Client({ connectionString: suite.databaseAdminUrl })
  await backup.connect()
  await backup.query('begin; select from held.things')
  await writeFile(join(directory, '0002_second.sql'), 'alter table things add column name text')
  const migrating = migrate()
  await waitFor('the migration to report that it waits', () => printed.length > 0)
  await waitForLock(suite, '', { application: 'migrate' })
  // A read waits behind this next attempt, which ends after a second.
  await suite.sql(`set lock_timeout = '1900ms'; select from held.things`)
  await backup.query('commit')
  await backup.end()
  expect(await migrating).toEqual(['0002_second.sql'])
  expect(printed).toEqual([
    'migration 0002_second.sql of held waits for another transaction on its table, such as a backup.',
  ])
})

test('a migration that PostgreSQL cancels to end a deadlock is tried again', async () => {
  await suite.sql('create sequence held.tries')
  await writeFile(
    join(directory, '0003_third.sql'),
    `do $$ begin if nextval('held.tries') = 1 then raise 'deadlock detected' using errcode = '40P01'; end if; end $$`,
  )
  expect(await migrate()).toEqual(['0003_third.sql'])
})

test('a migration whose server stops, as in a failover, fails with its name and the reason', async () => {
  await writeFile(join(directory, '0004_fourth.sql'), 'select pg_terminate_backend(pg_backend_pid())')
  await expect(migrate()).rejects.toThrow('migration 0004_fourth.sql of held failed: terminating connection')
})
