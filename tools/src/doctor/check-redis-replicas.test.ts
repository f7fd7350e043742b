import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startRedisWithSentinels,
  waitFor,
  waitForFinding,
  type ExpectedFinding,
  type RedisWithSentinels,
} from '../testing/index.ts'
import { checkRedis } from './check-redis.ts'
import { doctorContext } from './doctor-context.ts'
import type { Finding } from './finding.ts'

const PASSWORD = 'of-the-servers'
const NAME = 'shop'

let servers: RedisWithSentinels
let primary: number
let replica: number
let sentinels: number[]

beforeAll(async () => {
  servers = await startRedisWithSentinels({ password: PASSWORD, name: NAME, sentinelPassword: true })
  ;({ primary, replica, sentinels } = servers)
})

afterAll(() => servers.stop())

const single = (port: number) => `redis://:${PASSWORD}@127.0.0.1:${port}`
const withSentinels = () =>
  `redis-sentinel://:${PASSWORD}@${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/0#${NAME}`

const examine = (url: string, env: Record<string, string> = {}): Promise<Finding[]> =>
  checkRedis(doctorContext({ ...env, REDIS_URL: url }))

const about = (findings: Finding[], check: string) => findings.find((one) => one.check === check)

const expectFinding = (check: string, expected: ExpectedFinding) =>
  waitForFinding(() => examine(withSentinels()), check, expected)

test('the role of a server and the replicas that it lacks are found without sentinels', async () => {
  const nameOfReplica = `Redis replica 127.0.0.1:${replica}`
  let ofPrimary: Finding[] = []
  // A new replica first waits for a copy of the data.
  await waitFor('the replica to be online', async () => {
    ofPrimary = await examine(single(primary), { REDIS_REPLICAS: '2' })
    return about(ofPrimary, nameOfReplica)?.found.startsWith('online') === true
  })
  expect(about(ofPrimary, 'Redis role')).toMatchObject({ state: 'ok', found: 'primary' })
  expect(about(ofPrimary, nameOfReplica)).toMatchObject({
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
  await servers.kill(last)
  await expectFinding('Redis sentinels', { state: 'warn', found: new RegExp(`^2 of 3 reply, not 127.0.0.1:${last}$`) })
})

test('a failover is counted, and leaves a primary without a replica', async () => {
  await servers.kill(primary)
  await expectFinding('Redis primary', {
    state: 'ok',
    found: new RegExp(`^127.0.0.1:${replica}, as 2 sentinels agree$`),
  })
  await expectFinding('Redis failover', { state: 'ok', found: /^the last one is number \d+, at least 0 minutes ago$/ })
  await expectFinding('Redis replicas', { state: 'fault', found: /^0 of 1 connected$/ })
})

test('a primary that rejects writes without a replica, and too few sentinels, are faults', async () => {
  await servers.call(replica, 'CONFIG', 'SET', 'min-replicas-to-write', '1')
  await expectFinding('Redis min-replicas-to-write', { state: 'fault', found: /every write is rejected/ })
  const [, second = 0] = sentinels
  await servers.kill(second)
  await expectFinding('Redis sentinels', { state: 'fault', found: /^1 of 3 reply, .*too few to agree/ })
})
