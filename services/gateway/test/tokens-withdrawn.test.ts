import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  CheckSession,
  revocationsMark,
  revokedKey,
  SessionsEnded,
  SigningKeysChanged,
  type Actor,
} from '@storefront/contracts'
import { replyTo, sendSignal, type Messaging } from '@storefront/messaging'
import { createSuite, startOwnRedis, waitFor, type OwnRedis, type Suite } from '@storefront/tools/testing'
import {
  Echo,
  echo,
  recordedLog,
  runGateway,
  startIdentity,
  startService,
  markRevocationsComplete,
  type Identity,
  type TestGateway,
  type TestService,
} from './setup.ts'

let suite: Suite
let redisServer: OwnRedis
let redis: Redis
let identity: Identity
let catalog: TestService
let gateways: TestGateway[]
let messaging: Messaging

const closed = new Set<string>()
let requests = 0

beforeAll(async () => {
  suite = await createSuite()
  redisServer = await startOwnRedis()
  redis = new Redis(redisServer.url)
  redis.on('error', () => {})
  identity = await startIdentity()
  catalog = await startService(echo)
  const urls = { identity: identity.service.url, catalog: catalog.url }
  gateways = await Promise.all(
    [1, 2].map(() => runGateway(suite, urls, { REDIS_URL: redisServer.url, UPSTREAM_TIMEOUT_MS: '10000' })),
  )
  messaging = await suite.openMessaging('identity')
  const verifyActor = () => undefined
  replyTo({ messaging, verifyActor, log: suite.log }, CheckSession, async ({ sessionId }) => {
    requests++
    return { active: !closed.has(sessionId) }
  })
  await waitFor('identity', async () => (await kindsOf(await identity.sign({}))).every((kind) => kind === 'customer'))
})

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await Promise.all([identity.service.stop(), catalog.stop()])
  redis.disconnect()
  await redisServer.remove()
  await suite.stop()
})

/** The kind of actor that each gateway determines from a token. */
async function kindsOf(token: string, at = gateways): Promise<Actor['kind'][]> {
  return Promise.all(
    at.map(async ({ url, verifyActor }) => {
      const response = await fetch(`${url}/admin/products`, { headers: { authorization: `Bearer ${token}` } })
      const { headers } = Echo.parse(await response.json())
      return verifyActor(headers['x-actor'])?.kind ?? 'anonymous'
    }),
  )
}

const CUSTOMER = ['customer', 'customer']
const ANONYMOUS = ['anonymous', 'anonymous']

/** Ends a session as identity does: first in its table, then in Redis. */
async function signOut(sessionId: string): Promise<void> {
  closed.add(sessionId)
  await redis.set(revokedKey(suite.namespace, sessionId), '1')
}

test('Redis is trusted only while it is marked as complete, and then identity is not called', async () => {
  const token = await identity.sign({ sid: 'sess_asked' })
  requests = 0
  expect(await kindsOf(token)).toEqual(CUSTOMER)
  expect(requests).toBeGreaterThan(0)
  await markRevocationsComplete(suite, redisServer.url)
  requests = 0
  for (let round = 0; round < 5; round++) expect(await kindsOf(token)).toEqual(CUSTOMER)
  expect(requests).toBe(0)
})

test('a token is rejected at every gateway after the logout, even when Redis has just lost all data', async () => {
  const token = await identity.sign({ sid: 'sess_flushed' })
  expect(await kindsOf(token)).toEqual(CUSTOMER)
  await signOut('sess_flushed')
  expect(await kindsOf(token)).toEqual(ANONYMOUS)
  await redis.flushall()
  expect(await kindsOf(token)).toEqual(ANONYMOUS)
  await markRevocationsComplete(suite, redisServer.url)
})

test('a Redis that was restored to its state before the logout is not trusted', async () => {
  const token = await identity.sign({ sid: 'sess_snapshot' })
  expect(await kindsOf(token)).toEqual(CUSTOMER)
  await signOut('sess_snapshot')
  // After a crash the mark may have survived while the last write did not.
  await redis.del(revokedKey(suite.namespace, 'sess_snapshot'))
  const mark = await redis.get(revocationsMark(suite.namespace))
  await redisServer.stop()
  await redisServer.start()
  await waitFor('Redis to be back', async () => (await redis.get(revocationsMark(suite.namespace))) === mark)
  for (let round = 0; round < 20; round++) expect(await kindsOf(token)).toEqual(ANONYMOUS)
})

/** A gateway whose Redis user may run all commands but one. */
async function gatewayWithout(command: string, log = suite.log): Promise<TestGateway> {
  await redis.call('ACL', 'SETUSER', 'gateway', 'reset', 'on', '>secret', '~*', '&*', '+@all', `-${command}`)
  const url = new URL(redisServer.url)
  url.username = 'gateway'
  url.password = 'secret'
  const urls = { identity: identity.service.url, catalog: catalog.url }
  return runGateway({ ...suite, log }, urls, { REDIS_URL: url.href, UPSTREAM_TIMEOUT_MS: '10000' })
}

test("without trust in Redis, identity's reply that a session is open holds until identity revokes it", async () => {
  await redis.flushall()
  const urls = { identity: identity.service.url, catalog: catalog.url }
  const now = new Date()
  // The clock of the gateway does not move, so that no reply expires.
  const settings = { REDIS_URL: redisServer.url, UPSTREAM_TIMEOUT_MS: '10000' }
  const gateway = await runGateway(suite, urls, settings, { now: () => now })
  const [ended, open] = await Promise.all(['sess_ended', 'sess_open'].map((sid) => identity.sign({ sid })))
  const kindOf = async (token = '') => (await kindsOf(token, [gateway]))[0]
  for (const token of [ended, open]) await waitFor('the signing keys', async () => (await kindOf(token)) === 'customer')
  requests = 0
  closed.add('sess_ended')
  expect([await kindOf(ended), await kindOf(open)]).toEqual(['customer', 'customer'])
  expect(requests).toBe(0)
  sendSignal(messaging, SessionsEnded, { ids: ['sess_ended'] })
  await waitFor('the end of the session', async () => (await kindOf(ended)) === 'anonymous')
  expect(await kindOf(open)).toBe('customer')
  await gateway.stop()
  await markRevocationsComplete(suite, redisServer.url)
})

test('no Redis command names two keys, which a cluster would reject', async () => {
  await markRevocationsComplete(suite, redisServer.url)
  const gateway = await gatewayWithout('mget')
  const token = await identity.sign({ sid: 'sess_slots' })
  await waitFor('the signing keys', async () => (await kindsOf(token, [gateway]))[0] === 'customer')
  requests = 0
  for (let round = 0; round < 5; round++) expect(await kindsOf(token, [gateway])).toEqual(['customer'])
  expect(requests).toBe(0)
  await signOut('sess_slots')
  expect(await kindsOf(token, [gateway])).toEqual(['anonymous'])
  await gateway.stop()
})

test('a Redis that rejects commands is logged once a minute, and identity is called', async () => {
  const { log, lines } = recordedLog('warn')
  const gateway = await gatewayWithout('get', log)
  const token = await identity.sign({ sid: 'sess_refused' })
  await waitFor('the signing keys', async () => (await kindsOf(token, [gateway]))[0] === 'customer')
  for (let round = 0; round < 5; round++) expect(await kindsOf(token, [gateway])).toEqual(['customer'])
  await gateway.stop()
  const warnings = lines.filter((line) => line.includes('which sessions have ended'))
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('NOPERM')
  expect(warnings[0]).not.toContain('sess_')
})

test('tokens of a withdrawn key are rejected once identity publishes that, even those just verified', async () => {
  const token = await identity.sign({ sid: 'sess_withdrawn' })
  expect(await kindsOf(token)).toEqual(CUSTOMER)
  await identity.rotate('key-after-the-leak')
  identity.withdraw('key-1')
  sendSignal(messaging, SigningKeysChanged, {})
  await waitFor('the withdrawal', async () => (await kindsOf(token)).every((kind) => kind === 'anonymous'))
  expect(await kindsOf(await identity.sign({ sid: 'sess_after' }))).toEqual(CUSTOMER)
})

test('a withdrawal that was missed is noticed when identity is back', async () => {
  const token = await identity.sign({ sid: 'sess_later' })
  expect(await kindsOf(token)).toEqual(CUSTOMER)
  await identity.service.stop()
  sendSignal(messaging, SigningKeysChanged, {})
  // No key is known to be withdrawn, and an outage signs no user out.
  for (let round = 0; round < 5; round++) expect(await kindsOf(token)).toEqual(CUSTOMER)
  await identity.rotate('key-after-the-outage')
  identity.withdraw('key-after-the-leak')
  await identity.service.start()
  await waitFor('the withdrawal', async () => (await kindsOf(token)).every((kind) => kind === 'anonymous'))
})
