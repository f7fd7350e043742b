import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, isOutage } from '@storefront/postgres'
import { createSuite, openTcpProxy, waitFor, type Suite, type TcpProxy } from '@storefront/tools/testing'
import { failureOf } from '../support/failure-of.ts'

const POOL_SIZE = 6
const OPENED_AT_ONCE = 2
const WAIT_MS = 300

let suite: Suite
let proxy: TcpProxy
const databases: Kysely<unknown>[] = []

beforeEach(async () => {
  suite = await createSuite('orders')
  proxy = await openTcpProxy()
})
afterEach(async () => {
  proxy.repair()
  await Promise.all(databases.splice(0).map((db) => db.destroy()))
  await proxy.close()
  await suite.stop()
})

function open(connectMs: number): Kysely<unknown> {
  const url = proxy.through(suite.databaseUrl('orders'))
  const db = createDatabase({ url, poolSize: POOL_SIZE, name: 'slow-connections', log: suite.log, connectMs })
  databases.push(db)
  return db
}

const processOf = async (on: Kysely<unknown>) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.2)`.execute(on)).rows[0]?.pid
const many = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: POOL_SIZE }, work))

test('connections that take longer than their callers wait are used by later callers, and not opened again', async () => {
  const db = open(WAIT_MS)
  proxy.hang()
  const errors = await many(() => failureOf(processOf(db)))
  expect(errors.map(isOutage)).toEqual(errors.map(() => true))
  expect(proxy.connections()).toBeGreaterThanOrEqual(OPENED_AT_ONCE)
  proxy.repair()
  await waitFor('the whole pool at once', async () => {
    const pids = await many(() => processOf(db).catch(() => undefined))
    return !pids.includes(undefined) && new Set(pids).size === POOL_SIZE
  })
  expect(proxy.total()).toBe(POOL_SIZE)
})

test('callers who come after others have timed out try further connections, up to the size of the pool', async () => {
  const db = open(WAIT_MS)
  proxy.hang()
  const counts: number[] = []
  for (let round = 0; round < POOL_SIZE; round++) {
    await many(() => failureOf(processOf(db)))
    counts.push(proxy.connections())
  }
  // The first attempts may have been given up by the end on a busy machine.
  expect(Math.max(...counts)).toBeGreaterThan(OPENED_AT_ONCE)
  expect(Math.max(...counts)).toBeLessThanOrEqual(POOL_SIZE)
})

test('each caller gets the error of a server that accepts no connection', async () => {
  const db = open(20_000)
  proxy.cut()
  const errors = await many(() => failureOf(processOf(db)))
  expect(errors.map(isOutage)).toEqual(errors.map(() => true))
})

test('a caller that waits for a connection takes one that another caller returns', async () => {
  const db = open(20_000)
  const pids = (await many(() => many(() => processOf(db)))).flat()
  expect(pids).toHaveLength(POOL_SIZE * POOL_SIZE)
  expect(new Set(pids).size).toBeLessThanOrEqual(POOL_SIZE)
})
