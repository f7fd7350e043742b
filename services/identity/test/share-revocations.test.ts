import { subscribeToSignal, type Messaging } from '@storefront/messaging'
import { openRedis, serverRunOf, systemClock, type RedisClient } from '@storefront/service'
import { revocationsMark, revokedKey, SessionsEnded } from '@storefront/contracts'
import { amount, createSuite, lockWaiters, waitFor, type Suite } from '@storefront/tools/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { Database } from '../src/database.ts'
import { revocableSessions } from '../src/sessions/sessions.queries.ts'
import type { Revocations } from '../src/sessions/revoked.ts'
import { shareRevocations } from '../src/sessions/share-revocations.ts'
import { openDatabase } from './setting.ts'

/** The number of revocations that are written to Redis at once. */
const BATCH = 1000
/** The fewest that take three batches. */
const MANY = 2 * BATCH + 1

let suite: Suite
let db: Database
let redis: RedisClient
let messaging: Messaging
let replicas: { revocations: Revocations; redis: RedisClient }[]

beforeEach(async () => {
  suite = await createSuite('identity')
  db = openDatabase(suite, 5)
  redis = openRedis({ url: suite.redisUrl, name: 'test', log: suite.log })
  messaging = await suite.openMessaging('identity')
  await waitFor('Redis', () => redis.status === 'ready')
  replicas = []
})
afterEach(async () => {
  for (const replica of replicas) {
    await replica.revocations.stop()
    replica.redis.disconnect()
  }
  redis.disconnect()
  await db.destroy()
  await suite.stop()
})

const mark = () => redis.get(revocationsMark(suite.namespace))
const idOf = (number: number) => `sess_${String(number).padStart(6, '0')}`

/** Inserts the revoked sessions 1 to `count`, and an open session for each of them. */
const revokeMany = (count: number, { areShared }: { areShared: boolean }) =>
  suite.sql(
    `insert into identity.sessions (id, kind, admin_user_id, created_at, expires_at, revoked_at, shared_at)
     select 'sess_' || lpad(n::text, 6, '0') || suffix, 'admin', 'user_1', now(), now() + interval '1 day',
       case when suffix = '' then now() end, case when suffix = '' and $2 then now() end
     from generate_series(1, $1) n, unnest(array['', '_open']) suffix`,
    [count, areShared],
  )

/** The part of a replica that writes revocations: it repairs Redis as soon as it is connected. */
function startReplica(): void {
  const { log, namespace } = suite
  const connection = openRedis({ url: suite.redisUrl, name: 'replica', log })
  const revocations = shareRevocations({ db, redis: connection, messaging, namespace, clock: systemClock, log })
  replicas.push({ revocations, redis: connection })
}

/** The number of these revocations in Redis. */
async function countInRedis(count: number): Promise<number> {
  const keys = Array.from({ length: count }, (_, index) => revokedKey(suite.namespace, idOf(index + 1)))
  return redis.exists(...keys)
}

/** Locks this session until the returned transaction ends. */
async function holdSession(number: number) {
  const held = await db.startTransaction().execute()
  await held.selectFrom('sessions').select('id').where('id', '=', idOf(number)).forUpdate().execute()
  return held
}
const isHeldUp = async () => (await lockWaiters(suite)).length === 1

describe('the repair of a Redis that has lost everything', () => {
  test('writes all revocations, also those that are marked as shared, and changes no row of a table', async () => {
    await revokeMany(MANY, { areShared: true })
    const rows = () => suite.sql('select xmin::text, id from identity.sessions order by id')
    const before = await rows()
    startReplica()
    await waitFor('the mark', async () => (await mark()) === (await serverRunOf(redis)))
    expect(await countInRedis(MANY)).toBe(MANY)
    expect(await redis.exists(revokedKey(suite.namespace, `${idOf(1)}_open`))).toBe(0)
    expect(await rows()).toEqual(before)
  })

  const count = amount({ quick: 10_000, long: 50_000 })

  test(`reads each of ${count} revocations once`, async () => {
    await revokeMany(count, { areShared: true })
    await suite.sql('analyze identity.sessions')
    await db.transaction().execute(async (tx) => {
      const seen = new Set<string>()
      for (let after: string | undefined = ''; after !== undefined;) {
        const page = { which: 'all', after, limit: BATCH } as const
        const revoked: { id: string }[] = await revocableSessions.listRevoked(tx, page, new Date())
        for (const { id } of revoked) seen.add(id)
        after = revoked.at(-1)?.id
      }
      expect(seen.size).toBe(count)
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
        where schemaname = 'identity' and relname = 'sessions'`.execute(tx)
      expect(rows[0]?.read).toBeGreaterThanOrEqual(count)
      // The count would be higher if a page were read twice, or read only to skip it.
      expect(rows[0]?.read).toBeLessThan(count + BATCH)
    })
  })

  test('keeps its lease for as long as it runs', async () => {
    await revokeMany(MANY, { areShared: false })
    const [second, third] = [await holdSession(BATCH + 1), await holdSession(2 * BATCH + 1)]
    startReplica()
    await waitFor('the second batch', async () => (await isHeldUp()) && (await countInRedis(MANY)) === 2 * BATCH)
    expect(await mark()).toMatch(/^repairing /)
    await redis.pexpire(revocationsMark(suite.namespace), 8000)
    await second.commit().execute()
    await waitFor('the third batch', async () => (await isHeldUp()) && (await countInRedis(MANY)) === MANY)
    expect(await redis.pttl(revocationsMark(suite.namespace))).toBeGreaterThan(8000)
    await third.commit().execute()
    await waitFor('the mark', async () => (await mark()) === (await serverRunOf(redis)))
  })

  test('ends when another replica has claimed the lease', async () => {
    await revokeMany(MANY, { areShared: false })
    const second = await holdSession(BATCH + 1)
    startReplica()
    await waitFor('the second batch', async () => (await isHeldUp()) && (await countInRedis(MANY)) === 2 * BATCH)
    const lease = `repairing ${await serverRunOf(redis)} by another replica`
    await redis.set(revocationsMark(suite.namespace), lease, 'EX', 60)
    await second.commit().execute()
    await waitFor('the repair to end', async () => {
      const rows = await suite.sql('select 1 from identity.sessions where shared_at is not null')
      return rows.length === 2 * BATCH
    })
    await replicas[0]?.revocations.stop()
    expect(await mark()).toBe(lease)
    expect(await countInRedis(MANY)).toBe(2 * BATCH)
  })

  test('does not delay a service that stops', async () => {
    await revokeMany(MANY, { areShared: false })
    const second = await holdSession(BATCH + 1)
    startReplica()
    await waitFor('the second batch', isHeldUp)
    const stopped = replicas[0]?.revocations.stop()
    await second.commit().execute()
    await stopped
    expect(await countInRedis(MANY)).toBe(2 * BATCH)
    expect(await mark()).toMatch(/^repairing /)
  })
})

test('ended sessions are published to the gateways at once, also while Redis is down', async () => {
  const gateway = await suite.openMessaging('gateway')
  const received: string[] = []
  subscribeToSignal({ messaging: gateway, log: suite.log }, SessionsEnded, ({ ids }) => received.push(...ids))
  await (await gateway.opened).flush()
  await messaging.opened
  startReplica()
  replicas[0]?.redis.disconnect()
  const ids = Array.from({ length: BATCH + 1 }, (_, index) => idOf(index + 1))
  await replicas[0]?.revocations.share(ids.map((id) => ({ id, expires_at: new Date(Date.now() + 60_000) })))
  await waitFor('all ended sessions', () => received.length === ids.length)
  expect(received).toEqual(ids)
  await gateway.close()
})
