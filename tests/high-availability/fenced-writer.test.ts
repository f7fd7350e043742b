import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { temporaryFolder, waitFor } from '@storefront/tools/testing'
import { withClient } from '@storefront/tools/with-client'
import { checkFencedWrites } from './check-fenced-writes.ts'
import { openFencedWriter } from './fenced-writer.ts'

let folder: string

beforeAll(async () => {
  folder = await temporaryFolder('storefront-fenced')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a client writes again after its connection is lost, and each row that was acknowledged is compared', async ({
  onTestFinished,
}) => {
  const { databaseAdminUrl: databaseUrl } = inject('servers')
  const { hostname: address, port } = new URL(databaseUrl)
  const sql = (text: string) => withClient({ connectionString: databaseUrl }, (client) => client.query(text))
  const cluster = { databaseUrl, network: { on: <Command>(_machine: string, command: Command) => command } }
  const writer = await openFencedWriter({ cluster, folder, ports: [Number(port)] })
  onTestFinished(() => writer.close())
  const stop = await writer.start({ name: 'machine-1', address })
  await sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'fenced_writer'`)
  const { acknowledged } = await writer.read()
  const hasMore = async () => (await writer.read()).acknowledged.length > acknowledged.length + 1
  await waitFor('more rows', hasMore)
  await stop()
  expect(checkFencedWrites(await writer.read())).toEqual([])
  const [subject] = acknowledged
  await sql(`delete from fenced_writer.writes where id = '${subject}'`)
  expect(checkFencedWrites(await writer.read())).toMatchObject([{ kind: 'write of a fenced primary lost', subject }])
})
