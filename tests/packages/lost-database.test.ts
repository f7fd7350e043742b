import { sql, type Kysely } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDatabase, isOutage, transaction } from '@storefront/postgres'
import { createSuite, openTcpProxy, waitFor, type Suite, type TcpProxy } from '@storefront/tools/testing'
import { failureOf } from '../support/failure-of.ts'

const RESULT_MS = 1000
/** How long the gateway waits for a response. */
const GATEWAY_MS = 10_000

let suite: Suite
let proxy: TcpProxy
let proxyUrl: string
let db: Kysely<unknown>

beforeAll(async () => {
  suite = await createSuite('orders')
  await suite.sql('create table orders.notes (text text)')
  await suite.sql('grant all on orders.notes to public')
  proxy = await openTcpProxy()
  proxyUrl = proxy.through(suite.databaseUrl('orders'))
  db = createDatabase({ url: proxyUrl, poolSize: 3, name: 'lost-database', log: suite.log, resultMs: RESULT_MS })
})
afterAll(async () => {
  await db.destroy()
  await proxy.close()
  await suite.stop()
})
afterEach(() => proxy.repair())

const processOf = async (on: Kysely<unknown>) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)).rows[0]?.pid
/** Works on three connections at once. */
async function onThree<Result>(work: (on: Kysely<unknown>) => Promise<Result>): Promise<Result[]> {
  let begun = 0
  const one = () =>
    db.connection().execute(async (connection) => {
      begun++
      await waitFor('three connections', () => begun === 3)
      return work(connection)
    })
  return Promise.all([one(), one(), one()])
}
const processes = async () => new Set(await onThree(processOf))
const notes = async () => (await suite.sql<{ text: string }>('select text from orders.notes')).map(({ text }) => text)

describe('a server that no longer replies', () => {
  test('is given up after the time for a result, with all connections to it, and the next statement gets a new one', async () => {
    const before = await processes()
    expect(before.size).toBe(3)
    proxy.hang()
    const error = await failureOf(sql`select 1`.execute(db))
    expect(isOutage(error)).toBe(true)
    proxy.cut()
    proxy.repair()
    const after = await processes()
    expect([...after].filter((pid) => before.has(pid))).toEqual([])
  })

  test('ends a transaction as an outage, not only its statement', async () => {
    const began = performance.now()
    const error = await failureOf(
      transaction(db, async (tx) => {
        await sql`insert into notes values ('in doubt')`.execute(tx)
        proxy.hang()
        await sql`insert into notes values ('never')`.execute(tx)
      }),
    )
    expect(isOutage(error)).toBe(true)
    expect(performance.now() - began).toBeLessThan(10 * RESULT_MS)
    proxy.cut()
    proxy.repair()
    await transaction(db, (tx) => sql`insert into notes values ('afterwards')`.execute(tx))
    expect(await notes()).toEqual(['afterwards'])
  })

  test('is given up before the gateway gives up the request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const usual = createDatabase<unknown>({ url: proxyUrl, poolSize: 1, name: 'usual', log: suite.log })
    try {
      await processOf(usual)
      proxy.hang()
      const failure = failureOf(sql`select 1`.execute(usual))
      await vi.advanceTimersByTimeAsync(GATEWAY_MS - 1)
      expect(isOutage(await Promise.race([failure, Promise.resolve('no result yet')]))).toBe(true)
    } finally {
      vi.useRealTimers()
      proxy.repair()
      await usual.destroy()
    }
  })
})

test('a statement that has a time limit of its own is awaited for longer', async () => {
  const slept = transaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${'20s'}, true)`.execute(tx)
    await sql`select pg_sleep(${(2 * RESULT_MS) / 1000})`.execute(tx)
    return 'slept'
  })
  expect(await slept).toBe('slept')
  const error = await failureOf(sql`select pg_sleep(${(2 * RESULT_MS) / 1000})`.execute(db))
  expect(isOutage(error)).toBe(true)
})

test('connections to a server that accepts no writes are closed, and the write succeeds on a new one', async () => {
  const before = await processes()
  // Each connection rejects writes, as one to a standby or to the old primary after a failover does.
  for (const pid of before) {
    const readOnly = async (on: Kysely<unknown>) => {
      if ((await processOf(on)) === pid) await sql`set session characteristics as transaction read only`.execute(on)
    }
    await onThree(readOnly)
  }
  const write = () => transaction(db, (tx) => sql`insert into notes values ('written')`.execute(tx))
  const error = await failureOf(write())
  expect(isOutage(error)).toBe(true)
  await write()
  expect(await notes()).toContain('written')
  const after = await processes()
  expect([...after].filter((pid) => before.has(pid))).toEqual([])
})

test('a server whose name has no address, as that of a stopped container, is an outage', () => {
  expect(isOutage(Object.assign(new Error('getaddrinfo ENOTFOUND postgres'), { code: 'ENOTFOUND' }))).toBe(true)
})

describe('a pool without connections, as after a failover', () => {
  let fresh: Kysely<unknown>
  beforeEach(() => {
    fresh = createDatabase({ url: proxyUrl, poolSize: 3, name: 'fresh', log: suite.log })
  })
  afterEach(() => fresh.destroy())

  test('opens two at a time, and all work gets one in the end', async () => {
    const before = proxy.connections()
    proxy.hang()
    const work = Promise.all([1, 2, 3, 4, 5, 6].map(() => processOf(fresh)))
    await waitFor('two connections that are being opened', () => proxy.connections() >= before + 2)
    expect(proxy.connections() - before).toBeLessThanOrEqual(2)
    proxy.repair()
    expect(await work).not.toContain(undefined)
  })

  test('opens the second one for work that holds the first, while others wait', async () => {
    const nested = () =>
      fresh.connection().execute(async (first) => new Set([await processOf(first), await processOf(fresh)]))
    for (const pids of await Promise.all([nested(), nested()])) expect(pids.size).toBe(2)
  })

  test('rejects work as an outage when its turn does not come in time', async () => {
    proxy.hang()
    const errors = await Promise.all([1, 2, 3].map(() => failureOf(processOf(fresh))))
    expect(errors.map(isOutage)).toEqual([true, true, true])
    proxy.cut()
  })
})
