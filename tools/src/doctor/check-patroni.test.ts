import { systemClock } from '@storefront/service'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createFakeServer, type FakeServer } from '../testing/index.ts'
import { checkPatroni } from './check-patroni.ts'
import { doctorContext } from './doctor-context.ts'
import type { Finding } from './finding.ts'

const nowSeconds = () => Math.floor(systemClock.now().getTime() / 1000)

/** As Patroni 3.0.2 responds, beside what the doctor does not read. */
let status: Record<string, unknown>
let members: Record<string, unknown>[]
let history: unknown[]
/** What each member of etcd responds about itself. */
let health: string

const patroni = await createFakeServer(({ path }) => {
  const bodies: Record<string, unknown> = { '/patroni': status, '/cluster': { members }, '/history': history }
  return { status: 200, body: bodies[path] }
})
const etcd = await Promise.all(
  [1, 2, 3].map(() => createFakeServer(() => ({ status: health === 'true' ? 200 : 503, body: { health } }))),
)
const urlsOf = (servers: readonly FakeServer[]) => servers.map(({ url }) => url).join(',')

beforeEach(() => {
  for (const server of [patroni, ...etcd]) server.heal()
  status = { state: 'running', role: 'replica', dcs_last_seen: nowSeconds(), patroni: { version: '3.0.2' } }
  members = [
    { name: 'postgres', role: 'replica', state: 'running', timeline: 2, lag: 5 * 1024 ** 2 },
    { name: 'postgres-2', role: 'leader', state: 'running', timeline: 2 },
    { name: 'postgres-3', role: 'sync_standby', state: 'running', timeline: 2, lag: 0 },
  ]
  history = []
  health = 'true'
})

afterAll(async () => {
  for (const server of [patroni, ...etcd]) await server.stop()
})

const examine = (env: Record<string, string> = {}): Promise<Finding[]> =>
  checkPatroni(doctorContext({ PATRONI_URLS: patroni.url, ETCD_URLS: urlsOf(etcd), ...env }))
const about = (findings: Finding[], check: string) => findings.find((one) => one.check === check)

test('a shop without Patroni has no finding about it', async () => {
  expect(await examine({ PATRONI_URLS: '', ETCD_URLS: '' })).toEqual([])
})

test('the leader, those that follow it, and a healthy etcd are shown', async () => {
  expect(await examine()).toEqual([
    { check: 'Patroni', state: 'ok', found: '1 of 1 respond' },
    {
      check: 'Patroni leader',
      state: 'ok',
      found: 'postgres-2, followed by postgres (replica, 5.0 MiB behind), postgres-3 (sync_standby, 0.0 MiB behind)',
    },
    { check: 'PostgreSQL failover', state: 'ok', found: 'none yet' },
    { check: 'etcd', state: 'ok', found: '3 members, all healthy' },
  ])
})

test('the last failover is shown with its time and both primaries', async () => {
  history = [[1, 83886800, 'no recovery target specified', '2026-11-20T08:00:00.123456+00:00', 'postgres']]
  expect(about(await examine(), 'PostgreSQL failover')).toMatchObject({
    found: 'the last one at 2026-11-20T08:00:00.123Z, to postgres',
  })
  history.push([2, 184549536, 'no recovery target specified', '2026-11-21T09:00:00+00:00', 'postgres-2'])
  expect(about(await examine(), 'PostgreSQL failover')).toMatchObject({
    found: 'the last one at 2026-11-21T09:00:00.000Z, from postgres to postgres-2',
  })
  history.push([3, 184549999, 'no recovery target specified'])
  expect(about(await examine(), 'PostgreSQL failover')).toMatchObject({ found: 'the last one at an unknown time' })
})

test('a member that does not run, or is on an old timeline, is warned', async () => {
  members[0] = { name: 'postgres', role: 'replica', state: 'start failed', timeline: 1, lag: 'unknown' }
  members[2] = { ...members[2], timeline: 1 }
  const findings = await examine()
  expect(about(findings, 'Patroni leader')).toMatchObject({ state: 'ok', found: 'postgres-2, followed by no other' })
  expect(about(findings, 'Patroni member postgres')).toMatchObject({
    state: 'warn',
    found: 'start failed, postgres (replica, how far behind is unknown), on timeline 1',
    advice: expect.stringContaining('patronictl reinit'),
  })
  expect(about(findings, 'Patroni member postgres-3')).toMatchObject({ state: 'warn' })
})

test('a cluster without a leader is a fault, and one that cannot be read is warned', async () => {
  members[1] = { ...members[1], role: 'replica' }
  expect(about(await examine(), 'Patroni leader')).toMatchObject({ state: 'fault', found: 'there is none' })
  patroni.fail('cut', /cluster/)
  expect(about(await examine(), 'Patroni leader')).toMatchObject({
    state: 'warn',
    found: `cannot be read at ${new URL(patroni.url).host}`,
  })
})

test('a Patroni that does not respond is named, and the loss of all is a fault', async () => {
  const some = await examine({ PATRONI_URLS: `http://someone:secret@127.0.0.1:1, ${patroni.url}/` })
  expect(about(some, 'Patroni')).toMatchObject({ state: 'warn', found: '1 of 2 respond, not 127.0.0.1:1' })
  expect(JSON.stringify(some)).not.toContain('secret')
  const none = await examine({ PATRONI_URLS: 'http://127.0.0.1:1,nonsense' })
  expect(none).toMatchObject([
    { check: 'Patroni', state: 'fault', found: 'none of 2 responds' },
    { check: 'etcd', state: 'ok' },
  ])
})

test('a user and password of an address are sent as a header, and are not shown', async () => {
  const findings = await examine({ PATRONI_URLS: patroni.url.replace('//', '//doctor:s%C3%A9cret%40@') })
  expect(about(findings, 'Patroni')).toMatchObject({ state: 'ok', found: '1 of 1 respond' })
  expect(about(findings, 'Patroni leader')).toMatchObject({ state: 'ok' })
  const expected = `Basic ${Buffer.from('doctor:sécret@').toString('base64')}`
  expect(patroni.received.at(-1)?.headers.authorization).toBe(expected)
  expect(JSON.stringify(findings)).not.toMatch(/doctor|cret/)
})

test('a pause is warned, because nothing replaces a lost primary meanwhile', async () => {
  status['pause'] = true
  expect(about(await examine(), 'Patroni')).toMatchObject({
    state: 'warn',
    found: '1 of 1 respond; failovers are paused',
    advice: expect.stringContaining('patronictl resume'),
  })
})

test('a single lost member of etcd is a fault that names it', async () => {
  etcd[1]?.fail('cut')
  expect(about(await examine(), 'etcd')).toMatchObject({
    state: 'fault',
    found: `1 of 3 members are away: ${new URL(etcd[1]?.url ?? '').host}`,
  })
})

test('an etcd without a healthy member is a fault, whose cause may be an alarm', async () => {
  health = 'false'
  expect(about(await examine(), 'etcd')).toMatchObject({
    state: 'fault',
    found: `no member is healthy: ${etcd.map(({ url }) => new URL(url).host).join(', ')}`,
    advice: expect.stringContaining('etcdctl alarm list'),
  })
})

test('an etcd that no Patroni reaches is a fault, also without the addresses of its members', async () => {
  status['dcs_last_seen'] = nowSeconds() - 60
  const unreached = await examine({ ETCD_URLS: '' })
  expect(about(unreached, 'etcd')).toMatchObject({
    state: 'fault',
    found: 'no Patroni reaches it',
    advice: expect.stringContaining('more than half'),
  })
  // Patroni would wait for etcd before it responds.
  expect(about(unreached, 'Patroni leader')).toBeUndefined()
  status['failsafe_mode_is_active'] = true
  expect(about(await examine(), 'etcd')).toMatchObject({
    state: 'fault',
    found: 'no Patroni reaches it; in failsafe mode PostgreSQL continues while all of its nodes do',
  })
})

test('a single Patroni that does not reach etcd is warned', async () => {
  const reaching = await createFakeServer(({ path }) => {
    const bodies: Record<string, unknown> = { '/patroni': { dcs_last_seen: nowSeconds() }, '/cluster': { members } }
    return { status: 200, body: bodies[path] ?? [] }
  })
  try {
    status['dcs_last_seen'] = nowSeconds() - 60
    expect(about(await examine({ PATRONI_URLS: `${patroni.url},${reaching.url}` }), 'etcd')).toMatchObject({
      state: 'warn',
      found: `the Patroni at ${new URL(patroni.url).host} does not reach it`,
    })
  } finally {
    await reaching.stop()
  }
})
