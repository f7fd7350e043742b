import { systemClock } from '@storefront/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findPostgresOfDebian,
  startDebianPostgres,
  startDebianStandby,
  waitForFinding,
  type DebianPostgres,
  type ExpectedFinding,
} from '../testing/index.ts'
import { withClient } from '../with-client.ts'
import { checkBackup } from './check-backup.ts'
import { checkPostgres } from './check-postgres.ts'
import { doctorContext } from './doctor-context.ts'
import type { Finding } from './finding.ts'

const programs = await findPostgresOfDebian()

const urlOf = ({ port }: DebianPostgres, user: string) => `postgres://${user}:unused@127.0.0.1:${port}/shop`

/** The findings about the database `shop` of a server. */
const examine = (server: DebianPostgres, env: Record<string, string> = {}, user = 'postgres'): Promise<Finding[]> =>
  checkPostgres(doctorContext({ ...env, DATABASE_URL: urlOf(server, user) }))

const about = (findings: Finding[], check: string) => findings.find((one) => one.check === check)

/** The findings about the backups of a shop with this server, whose folder of backups is empty. */
const backups = (server: DebianPostgres, user = 'postgres'): Promise<Finding[]> =>
  checkBackup(doctorContext({ DATABASE_URL: urlOf(server, user), BACKUP_DIR: '/nowhere' }))

/** The finding about the base backups of a server that archives. */
const baseBackup = async (server: DebianPostgres, user?: string): Promise<Finding | undefined> =>
  about(await backups(server, user), 'base backup')

async function run(server: DebianPostgres, ...statements: string[]): Promise<void> {
  await withClient({ connectionString: server.url }, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

async function setting(server: DebianPostgres, name: string, value: string): Promise<void> {
  await run(server, `alter system set ${name} = '${value}'`, 'select pg_reload_conf()')
}

const expectFinding = (server: DebianPostgres, check: string, expected: ExpectedFinding, env = {}) =>
  waitForFinding(() => examine(server, env), check, expected)

describe.skipIf('fault' in programs)('a PostgreSQL with a standby', () => {
  let primary: DebianPostgres
  let standby: DebianPostgres | undefined

  beforeAll(async () => {
    if ('fault' in programs) return
    primary = await startDebianPostgres(programs, ['archive_mode=on'])
    await run(primary, 'create database shop', 'create role plain login')
  })

  afterAll(async () => {
    await standby?.stop()
    await primary?.stop()
  })

  test('a single server is normal, unless a standby is expected', async () => {
    const findings = await examine(primary)
    expect(about(findings, 'PostgreSQL primary')).toEqual({
      check: 'PostgreSQL primary',
      state: 'ok',
      found: `127.0.0.1:${primary.port}, timeline 1`,
    })
    expect(about(findings, 'PostgreSQL failover')).toMatchObject({ state: 'ok', found: 'none yet' })
    expect(about(findings, 'PostgreSQL standbys')).toMatchObject({ state: 'ok', found: expect.stringMatching(/^none/) })
    expect(about(findings, 'synchronous replication')).toBeUndefined()
    const expected = await examine(primary, { POSTGRES_STANDBYS: '1' })
    expect(about(expected, 'PostgreSQL standbys')).toMatchObject({
      state: 'fault',
      found: '0 of 1 connected',
      advice: expect.stringContaining('pg_basebackup'),
    })
    expect(about(expected, 'synchronous replication')).toMatchObject({ state: 'warn', found: 'is off' })
  })

  test('an archive of the log without a command, one that fails, and one that works are distinguished', async () => {
    expect(about(await examine(primary), 'archive of the log')).toMatchObject({
      state: 'fault',
      found: 'is on without a command',
    })
    await setting(primary, 'archive_command', 'false')
    await run(primary, 'create table filled (id int)', 'select pg_switch_wal()')
    await expectFinding(primary, 'archive of the log', { state: 'fault', found: 'fails, the last time at 20' })
    await setting(primary, 'archive_command', 'true')
    await expectFinding(primary, 'archive of the log', { state: 'ok', found: 'works, the last file 0 minutes ago' })
  })

  test('the age of a base backup is known from the label that PostgreSQL keeps of it', async () => {
    await setting(primary, 'archive_command', 'true pgbackrest')
    expect(await baseBackup(primary)).toMatchObject({ state: 'warn', found: 'none' })
    await run(primary, `select pg_backup_start('pgBackRest backup, the first', true)`, 'select pg_backup_stop(false)')
    expect(await baseBackup(primary)).toMatchObject({
      state: 'ok',
      found: '0.0 hours old (pgBackRest backup, the first)',
    })
    expect(about(await backups(primary), 'backup')).toBeUndefined()
    expect(await baseBackup(primary, 'plain')).toMatchObject({ state: 'ok', found: 'unknown on this primary' })
    expect(about(await backups(primary, 'plain'), 'backup')).toMatchObject({
      state: 'warn',
      found: 'none in the folder of backups, and none is known to this primary',
    })
    await run(primary, 'create role observer login in role pg_monitor')
    expect(await baseBackup(primary, 'observer')).toMatchObject({
      state: 'ok',
      found: '0.0 hours old (or a standby was copied then)',
    })
  })

  test('a standby that streams is ok, and a shop whose commits do not wait for it is warned', async () => {
    if ('fault' in programs) return
    standby = await startDebianStandby(programs, primary, 'second')
    // The label of the copy has replaced that of the backup, and a standby archives nothing.
    expect(await baseBackup(primary)).toMatchObject({ state: 'ok', found: 'unknown on this primary' })
    expect(await baseBackup(standby)).toBeUndefined()
    await expectFinding(primary, 'standby second', { state: 'ok', found: /^streaming, async, 0.0 MiB behind/.source })
    const findings = await examine(primary, { POSTGRES_STANDBYS: '1' })
    expect(about(findings, 'PostgreSQL standbys')).toMatchObject({ state: 'ok', found: '1 connected' })
    expect(about(findings, 'replication slot second')).toBeUndefined()
    expect(about(findings, 'synchronous replication')).toMatchObject({
      state: 'warn',
      advice: expect.stringContaining('synchronous_standby_names'),
    })
    await setting(primary, 'synchronous_standby_names', 'ANY 1 (second, third)')
    await expectFinding(primary, 'synchronous replication', { state: 'ok', found: 'each commit is on 1 of second' })
    await setting(primary, 'synchronous_commit', 'local')
    await expectFinding(primary, 'synchronous replication', { state: 'fault', found: 'synchronous_commit is local' })
    await setting(primary, 'synchronous_commit', 'on')
  })

  test('a user who may not see the progress of standbys gets a warning with the right that is missing', async () => {
    const findings = await examine(primary, {}, 'plain')
    expect(findings.filter(({ check }) => check.startsWith('standby'))).toEqual([
      expect.objectContaining({ state: 'warn', advice: expect.stringContaining('pg_monitor') }),
    ])
    expect(about(findings, 'PostgreSQL failover')).toMatchObject({ state: 'ok' })
  })

  test('an address that leads to a standby is a fault', async () => {
    if (standby === undefined) return
    expect(about(await examine(standby), 'PostgreSQL primary')).toMatchObject({
      state: 'fault',
      found: `DATABASE_URL leads to a standby (127.0.0.1:${standby.port}, timeline 1)`,
    })
  })

  test('a standby that does not replay is warned, and is ok when it has', async () => {
    if (standby === undefined) return
    await run(standby, 'select pg_wal_replay_pause()')
    const fill = `select pg_logical_emit_message(false, 'fill', repeat('x', 1000000)) from generate_series(1, 70)`
    await run(primary, fill)
    await expectFinding(primary, 'standby second', { state: 'warn', found: '(6[4-9]|7\\d)\\.\\d MiB behind' })
    await run(standby, 'select pg_wal_replay_resume()')
    await expectFinding(primary, 'standby second', { state: 'ok', found: 'streaming, quorum, 0.0 MiB behind' })
  })

  test('a standby that was promoted shows when, and its timeline', async () => {
    if (standby === undefined) return
    await run(standby, 'select pg_promote()')
    await expectFinding(standby, 'PostgreSQL primary', { state: 'ok', found: 'timeline 2' })
    await expectFinding(standby, 'PostgreSQL failover', { state: 'ok', found: 'the last one at 20' })
    const { found = '' } = about(await examine(standby), 'PostgreSQL failover') ?? {}
    const at = Date.parse(found.replace('the last one at ', ''))
    expect(Math.abs(systemClock.now().getTime() - at)).toBeLessThan(600_000)
  })

  test('a standby that is gone leaves commits that wait and a slot that keeps the log', async () => {
    const waits = await expectFinding(primary, 'synchronous replication', {
      state: 'fault',
      found: 'every commit waits: 0 of 1',
    })
    expect(waits).toMatchObject({ advice: expect.stringContaining('synchronous_standby_names') })
    const slot = await expectFinding(primary, 'replication slot second', { state: 'warn', found: 'is not used' })
    expect(slot).toMatchObject({ advice: expect.stringContaining(`pg_drop_replication_slot('second')`) })
    await expectFinding(primary, 'PostgreSQL standbys', { state: 'fault', found: '0 of 1' }, { POSTGRES_STANDBYS: '1' })
    await setting(primary, 'max_slot_wal_keep_size', '1MB')
    await run(primary, 'select pg_switch_wal()', 'checkpoint', 'select pg_switch_wal()', 'checkpoint')
    await expectFinding(primary, 'replication slot second', { state: 'fault', found: 'has lost log' })
  })
})
