import { sql, type Kysely } from 'kysely'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createDatabase,
  readFromStandby,
  requireFreshStandby,
  writeHeartbeat,
  type ReadFrom,
} from '@storefront/postgres'
import { createLog } from '@storefront/service'
import {
  findPostgresOfDebian,
  startDebianPostgres,
  startDebianStandby,
  waitFor,
  type DebianPostgres,
} from '@storefront/tools/testing'

const programs = await findPostgresOfDebian()
const log = createLog({ service: 'test', level: 'silent' })

describe.skipIf('fault' in programs)('reads from a standby', () => {
  let primaryServer: DebianPostgres
  let standbyServer: DebianPostgres
  let primary: Kysely<unknown>
  let standby: Kysely<unknown>
  let read: ReadFrom<unknown>

  beforeAll(async () => {
    if ('fault' in programs) return
    primaryServer = await startDebianPostgres(programs)
    standbyServer = await startDebianStandby(programs, primaryServer, 'standby')
  })
  afterAll(async () => {
    await standbyServer?.stop()
    await primaryServer?.stop()
  })

  beforeEach(async () => {
    await run(
      primaryServer,
      'drop table if exists replication_beat, notes',
      'create table replication_beat (at timestamptz not null)',
      'create table notes (text text)',
      `insert into replication_beat values ('-infinity')`,
    )
    const common = { poolSize: 2, name: 'standby', log, connectMs: 2000 }
    primary = createDatabase({ ...common, url: primaryServer.url })
    standby = createDatabase({ ...common, url: standbyServer.url, accept: requireFreshStandby() })
    read = readFromStandby(primary, standby, log)
    await writeHeartbeat(primary)
  })
  afterEach(async () => {
    await run(standbyServer, 'select pg_wal_replay_resume()').catch(() => {}) // One test stops it.
    await Promise.all([primary.destroy(), standby.destroy()])
  })

  async function run(server: DebianPostgres, ...statements: string[]): Promise<void> {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  const isOnStandby = () =>
    read(async (db) => {
      const { rows } = await sql<{ isStandby: boolean }>`select pg_is_in_recovery() as "isStandby"`.execute(db)
      return rows[0]?.isStandby
    })

  test('run on the standby while its heartbeat is recent', async () => {
    await waitFor('the heartbeat on the standby', isOnStandby)
    expect(await isOnStandby()).toBe(true)
  })

  test('run on the primary while the standby does not replay, and on the standby again when it does', async () => {
    await waitFor('the heartbeat on the standby', isOnStandby)
    await run(standbyServer, 'select pg_wal_replay_pause()')
    await run(primaryServer, 'insert into notes values ($$written$$)')
    const texts = () =>
      read(async (db) => {
        const { rows } = await sql<{ text: string }>`select text from notes`.execute(db)
        return rows.map(({ text }) => text)
      })
    expect(await texts()).toEqual([])
    await waitFor('reads on the primary', async () => (await isOnStandby()) === false, 20_000)
    expect(await texts()).toEqual(['written'])
    await run(standbyServer, 'select pg_wal_replay_resume()')
    await writeHeartbeat(primary)
    await waitFor('reads on the standby', isOnStandby)
  })

  test('that fail with an error of their own are not run again on the primary', async () => {
    await waitFor('the heartbeat on the standby', isOnStandby)
    let runs = 0
    const wrong = read((db) => {
      runs++
      return sql`select missing from notes`.execute(db)
    })
    await expect(wrong).rejects.toThrow('missing')
    expect(runs).toBe(1)
  })

  test('run on the primary when there is no standby, or it has ended', async () => {
    expect(
      await readFromStandby(primary, undefined, log)(async (db) => (await sql`select 1`.execute(db)).rows.length),
    ).toBe(1)
    await waitFor('the heartbeat on the standby', isOnStandby)
    await standbyServer.stop()
    expect(await isOnStandby()).toBe(false)
  })

  test('need a heartbeat that is written once a second, however many replicas write it', async () => {
    const atMs = async () =>
      (await sql<{ at: Date }>`select at from replication_beat`.execute(primary)).rows[0]?.at.getTime()
    // A busy machine may take longer than a second for one attempt.
    const firstMs = await waitFor('heartbeats within a second, which write nothing', async () => {
      const beforeMs = await atMs()
      await Promise.all([writeHeartbeat(primary), writeHeartbeat(primary)])
      return (await atMs()) === beforeMs ? beforeMs : undefined
    })
    const nextMs = await waitFor('the next heartbeat', async () => {
      await writeHeartbeat(primary)
      const ms = await atMs()
      return ms === firstMs ? undefined : ms
    })
    expect(nextMs).toBeGreaterThan(firstMs)
  })
})
