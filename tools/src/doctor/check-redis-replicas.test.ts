import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRedis } from '@storefront/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProgram, freePort } from '../infrastructure/index.ts'
import { packageCache, temporaryFolder, waitFor } from '../testing/index.ts'
import { checkRedis } from './check-redis.ts'
import type { Finding } from './finding.ts'
import { surroundingsOf } from './surroundings.ts'

const PASSWORD = 'of-the-servers'
const NAME = 'shop'

const children = new Map<number, ChildProcess>()
const sentinels: number[] = []
let primary: number
let replica: number

/** Two servers, one a replica of the other, and three sentinels that replace the primary after a second. */
beforeAll(async () => {
  const folder = await temporaryFolder('storefront-doctor-sentinels')
  const { file, libraryPath } = await findProgram(
    { title: 'Redis', name: 'redis-server', alternatives: ['valkey-server'], least: [7, 0], variable: 'REDIS_URL' },
    { dataDir: folder, cacheDir: packageCache(), env: process.env, print: () => {} },
  )
  const start = async (port: number, lines: string[], options: string[] = []): Promise<void> => {
    const place = join(folder, String(port))
    await mkdir(place)
    const common = ['bind 127.0.0.1', `port ${port}`, `dir "${place}"`, 'save ""', `requirepass "${PASSWORD}"`]
    await writeFile(join(place, 'redis.conf'), [...common, ...lines, ''].join('\n'))
    const env = { LC_ALL: 'C', LD_LIBRARY_PATH: libraryPath }
    children.set(port, spawn(file, [join(place, 'redis.conf'), ...options], { env, stdio: 'ignore' }))
  }
  primary = await freePort()
  replica = await freePort()
  const ofServers = [`masterauth "${PASSWORD}"`, 'repl-diskless-sync-delay 0']
  await start(primary, ofServers)
  await start(replica, [...ofServers, `replicaof 127.0.0.1 ${primary}`])
  await waitFor('the replica', async () => (await call(replica, 'INFO')).includes('master_link_status:up'))
  for (let count = 0; count < 3; count++) {
    const port = await freePort()
    sentinels.push(port)
    const lines = [
      `sentinel monitor ${NAME} 127.0.0.1 ${primary} 2`,
      `sentinel auth-pass ${NAME} "${PASSWORD}"`,
      `sentinel sentinel-pass "${PASSWORD}"`,
      `sentinel down-after-milliseconds ${NAME} 1000`,
      `sentinel failover-timeout ${NAME} 4000`,
    ]
    await start(port, lines, ['--sentinel'])
  }
})

afterAll(async () => {
  await Promise.all([...children.keys()].map((port) => end(port)))
})

async function end(port: number): Promise<void> {
  const child = children.get(port)
  children.delete(port)
  if (child === undefined) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function call(port: number, command: string, ...words: string[]): Promise<string> {
  const client = createRedis(`redis://:${PASSWORD}@127.0.0.1:${port}`, {
    retryStrategy: () => null,
    lazyConnect: true,
    disconnectTimeout: 50,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return String(await client.call(command, ...words))
  } catch {
    return ''
  } finally {
    client.disconnect()
  }
}

const single = (port: number) => `redis://:${PASSWORD}@127.0.0.1:${port}`
const withSentinels = () =>
  `redis-sentinel://:${PASSWORD}@${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/0#${NAME}`

const examine = (url: string, env: Record<string, string> = {}): Promise<Finding[]> =>
  checkRedis(surroundingsOf({ ...env, REDIS_URL: url }))

const about = (findings: Finding[], check: string) => findings.find((one) => one.check === check)

async function expectFinding(check: string, expected: { state: Finding['state']; found: RegExp }): Promise<void> {
  let last: Finding | undefined
  await waitFor(check, async () => {
    last = about(await examine(withSentinels()), check)
    return last?.state === expected.state && expected.found.test(last.found)
  }).catch((error: unknown) => {
    throw new Error(`found ${JSON.stringify(last)}`, { cause: error })
  })
  expect(last).toBeDefined()
}

test('the role of a server and the replicas that it lacks are found without sentinels', async () => {
  const ofPrimary = await examine(single(primary), { REDIS_REPLICAS: '2' })
  expect(about(ofPrimary, 'Redis role')).toMatchObject({ state: 'ok', found: 'primary' })
  expect(about(ofPrimary, `Redis replica 127.0.0.1:${replica}`)).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/^online, \d+\.\d KiB behind, confirmed \d s ago$/),
  })
  expect(about(ofPrimary, 'Redis replicas')).toMatchObject({
    state: 'fault',
    found: '1 of 2 connected',
    advice: expect.stringContaining('Start the missing replica'),
  })
  expect(about(await examine(single(replica)), 'Redis role')).toMatchObject({
    state: 'fault',
    found: `REDIS_URL leads to a replica of 127.0.0.1:${primary}`,
  })
})

test('sentinels that agree are ok, and each that does not reply is named', async () => {
  await expectFinding('Redis sentinels', { state: 'ok', found: /^3 of 3 reply$/ })
  await expectFinding('Redis primary', {
    state: 'ok',
    found: new RegExp(`^127.0.0.1:${primary}, as 3 sentinels agree$`),
  })
  const findings = await examine(withSentinels())
  expect(findings.filter(({ state }) => state === 'fault')).toEqual([])
  expect(about(findings, 'Redis failover')).toMatchObject({ state: 'ok', found: 'none yet' })
  expect(JSON.stringify(findings)).not.toContain(PASSWORD)

  const [last = 0] = sentinels.slice(-1)
  await end(last)
  await expectFinding('Redis sentinels', { state: 'warn', found: new RegExp(`^2 of 3 reply, not 127.0.0.1:${last}$`) })
})

test('a failover is counted, and leaves a primary without a replica', async () => {
  await end(primary)
  await expectFinding('Redis primary', {
    state: 'ok',
    found: new RegExp(`^127.0.0.1:${replica}, as 2 sentinels agree$`),
  })
  await expectFinding('Redis failover', { state: 'ok', found: /^the last one is number \d+, at least 0 minutes ago$/ })
  await expectFinding('Redis replicas', { state: 'fault', found: /^0 of 1 connected$/ })
})

test('a primary that rejects writes without a replica, and too few sentinels, are faults', async () => {
  await call(replica, 'CONFIG', 'SET', 'min-replicas-to-write', '1')
  await expectFinding('Redis min-replicas-to-write', { state: 'fault', found: /every write is rejected/ })
  const [, second = 0] = sentinels
  await end(second)
  await expectFinding('Redis sentinels', { state: 'fault', found: /^1 of 3 reply, .*too few to agree/ })
})
