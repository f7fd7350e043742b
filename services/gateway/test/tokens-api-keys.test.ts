import { manualClock } from '@storefront/service/testing'
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiKeyDigest, CheckSession, FindApiKey, revocationsMark, revokedKey, type Actor } from '@storefront/contracts'
import { replyTo, type Messaging } from '@storefront/messaging'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import {
  Echo,
  echo,
  recordedLog,
  runGateway,
  startService,
  markRevocationsComplete,
  type TestGateway,
  type TestService,
} from './setup.ts'

let suite: Suite
let catalog: TestService
let gateway: TestGateway
let messaging: Messaging
let redis: Redis

const clock = manualClock('2026-03-01T12:00:00.000Z')
const ANONYMOUS: Actor = { kind: 'anonymous' }

/** The keys of identity, by digest; below, the open sessions and the digests that were looked up. */
const keys = new Map<string, { id: string; permissions: string[]; expiresAt?: string }>()
const open = new Set<string>()
const requests: string[] = []
let hold: Promise<void> | undefined

beforeAll(async () => {
  suite = await createSuite()
  redis = new Redis(suite.redisUrl)
  catalog = await startService(echo)
  gateway = await runGateway(
    suite,
    { catalog: catalog.url, identity: catalog.url },
    { UPSTREAM_TIMEOUT_MS: '10000' },
    clock,
  )
  messaging = await connectIdentity()
  await markRevocationsComplete(suite)
  await waitFor('identity to reply', async () => (await actorOf(makeKey())).kind === 'admin')
})

afterAll(async () => {
  await messaging.close()
  await gateway.stop()
  await catalog.stop()
  redis.disconnect()
  await suite.stop()
})

beforeEach(() => void requests.splice(0))

async function connectIdentity(): Promise<Messaging> {
  const connected = await suite.openMessaging('identity')
  const context = { messaging: connected, verifyActor: gateway.verifyActor, log: suite.log }
  replyTo(context, FindApiKey, async ({ digest }) => {
    requests.push(digest)
    await hold
    const key = keys.get(digest)
    return key ? { key } : {}
  })
  replyTo(context, CheckSession, async ({ sessionId }) => ({ active: open.has(sessionId) }))
  return connected
}

const randomKey = () => `sk_${randomBytes(32).toString('base64url')}`

let made = 0
/** Adds a key to those of identity. */
function makeKey(expiresAt?: string): string {
  const key = randomKey()
  const id = `key_${++made}`
  const end = expiresAt === undefined ? {} : { expiresAt }
  keys.set(apiKeyDigest(key), { id, permissions: ['catalog:write', 'something:new'], ...end })
  return key
}

const idOf = (key: string) => keys.get(apiKeyDigest(key))?.id ?? ''

async function actorOf(key: string, at = gateway, address = '192.0.2.1'): Promise<Actor> {
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address }
  const response = await fetch(`${at.url}/admin/products`, { headers })
  expect(response.status).toBe(200)
  return gateway.verifyActor(Echo.parse(await response.json()).headers['x-actor']) ?? ANONYMOUS
}

describe('a secret key', () => {
  test('makes its bearer an admin with the id of the key, no session and the permissions that are known', async () => {
    const key = makeKey()
    expect(await actorOf(key)).toEqual({ kind: 'admin', userId: idOf(key), permissions: ['catalog:write'] })
  })

  test('is looked up once a minute and by its digest, however many requests arrive at once', async () => {
    const key = makeKey()
    let release = () => {}
    hold = new Promise((resolve) => (release = resolve))
    const first = Array.from({ length: 20 }, () => actorOf(key))
    await waitFor('the look-up', () => requests.length > 0)
    release()
    hold = undefined
    expect(new Set((await Promise.all(first)).map(({ kind }) => kind))).toEqual(new Set(['admin']))
    clock.advance(59_999)
    await actorOf(key)
    expect(requests).toEqual([apiKeyDigest(key)])
    clock.advance(1)
    await actorOf(key)
    expect(requests).toEqual([apiKeyDigest(key), apiKeyDigest(key)])
  })

  test('that is unknown is looked up every five seconds, and is valid as soon as identity has it', async () => {
    const key = randomKey()
    for (let round = 0; round < 5; round++) expect(await actorOf(key)).toEqual(ANONYMOUS)
    expect(requests).toHaveLength(1)
    keys.set(apiKeyDigest(key), { id: 'key_late', permissions: [] })
    clock.advance(5000)
    expect(await actorOf(key)).toMatchObject({ kind: 'admin', userId: 'key_late' })
  })

  test('expires to the millisecond, although it is cached', async () => {
    const key = makeKey(new Date(clock.now().getTime() + 30_000).toISOString())
    expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
    clock.advance(29_999)
    expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
    clock.advance(1)
    expect(await actorOf(key)).toEqual(ANONYMOUS)
    expect(requests).toHaveLength(1)
  })

  test('is invalid at once when it is revoked, although it is cached', async () => {
    const key = makeKey()
    expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
    await redis.set(revokedKey(suite.namespace, idOf(key)), '1')
    expect(await actorOf(key)).toEqual(ANONYMOUS)
  })

  test('is checked with identity while Redis cannot be trusted', async () => {
    const [good, revoked] = [makeKey(), makeKey()]
    open.add(idOf(good))
    await redis.set(revocationsMark(suite.namespace), 'a run before this one')
    try {
      expect(await actorOf(good)).toMatchObject({ kind: 'admin' })
      expect(await actorOf(revoked)).toEqual(ANONYMOUS)
    } finally {
      await markRevocationsComplete(suite)
    }
    expect(await actorOf(revoked)).toMatchObject({ kind: 'admin' })
  })

  test.each([
    ['consists only of its prefix', 'sk_'],
    ['is too short', `sk_${'a'.repeat(42)}`],
    ['is too long', `sk_${'a'.repeat(44)}`],
    ['has characters that no key has', `sk_${'a'.repeat(42)}+`],
    ['begins with capitals', `SK_${'a'.repeat(43)}`],
  ])('that %s makes its bearer anonymous, and is not looked up', async (_what, key) => {
    expect(await actorOf(key)).toEqual(ANONYMOUS)
    expect(requests).toEqual([])
  })

  test('makes its bearer anonymous under another scheme', async () => {
    const headers = { authorization: `Basic ${makeKey()}` }
    const response = await fetch(`${gateway.url}/admin/products`, { headers })
    expect(gateway.verifyActor(Echo.parse(await response.json()).headers['x-actor'])).toEqual(ANONYMOUS)
  })

  test('appears in no log line, wherever a client sends it', async () => {
    const { log, lines } = recordedLog('trace')
    const logged = await runGateway({ ...suite, log }, { catalog: catalog.url })
    const [good, unknown] = [makeKey(), randomKey()]
    await waitFor('the connection to NATS', async () => (await actorOf(good, logged)).kind === 'admin')
    await actorOf(unknown, logged)
    for (const path of [`/admin/api-keys/${good}`, `/products?key=${good}`, `/carts/${good}`]) {
      await (await fetch(logged.url + path, { headers: { authorization: `Bearer ${good}` } })).arrayBuffer()
    }
    await logged.stop()
    const text = lines.join('')
    expect(text).toContain('"request completed"')
    for (const key of [good, unknown]) expect(text).not.toContain(key.slice(3))
  })
})

describe('while look-ups of made-up keys wait for identity', () => {
  let proxied: TestGateway
  let release = () => {}
  let madeUp: Promise<Actor>[] = []

  beforeAll(async () => {
    const urls = { catalog: catalog.url, identity: catalog.url }
    proxied = await runGateway(suite, urls, { TRUST_PROXY: '1', UPSTREAM_TIMEOUT_MS: '10000' }, clock)
    await waitFor('the connection to NATS', async () => (await actorOf(makeKey(), proxied)).kind === 'admin')
  })

  beforeEach(() => {
    hold = new Promise((resolve) => (release = resolve))
  })

  afterEach(async () => {
    release()
    hold = undefined
    await Promise.all(madeUp)
  })

  afterAll(() => proxied.stop())

  const sendMadeUpKeys = (client: number, count: number) => {
    madeUp = madeUp.concat(Array.from({ length: count }, () => actorOf(randomKey(), proxied, `198.51.100.${client}`)))
  }

  test('a key that was valid is still looked up again after a minute', async () => {
    release()
    const key = makeKey()
    expect(await actorOf(key, proxied)).toMatchObject({ kind: 'admin' })
    clock.advance(60_000)
    requests.splice(0)
    hold = new Promise((resolve) => (release = resolve))
    for (let client = 0; client < 11; client++) sendMadeUpKeys(client, 20)
    await waitFor('the maximum of look-ups', () => requests.length >= 200)
    const actor = actorOf(key, proxied)
    await waitFor('the look-up', () => requests.includes(apiKeyDigest(key)))
    release()
    expect(await actor).toMatchObject({ kind: 'admin' })
  })

  test('look-ups are limited per client, and a new valid key of another client is accepted', async () => {
    const before = catalog.requests.length
    sendMadeUpKeys(1, 220)
    await waitFor('the maximum of look-ups of one client', () => requests.length >= 20)
    await waitFor('the other keys to be anonymous', () => catalog.requests.length - before >= 200)
    // The gateway looks up no more than 200 at once of all clients, and 20 of one.
    expect(new Set(requests).size).toBeLessThan(200)
    const key = makeKey()
    const actor = actorOf(key, proxied)
    await waitFor('the look-up', () => requests.includes(apiKeyDigest(key)))
    release()
    expect(await actor).toMatchObject({ kind: 'admin' })
    await Promise.all(madeUp)
    // Once its look-ups are done, the client can have new ones.
    expect(await actorOf(makeKey(), proxied, '198.51.100.1')).toMatchObject({ kind: 'admin' })
  })
})

describe('while identity is unavailable', () => {
  const withoutIdentity = async (work: () => Promise<void>) => {
    await messaging.close()
    try {
      await work()
    } finally {
      messaging = await connectIdentity()
      await waitFor('identity to reply', async () => (await actorOf(makeKey())).kind === 'admin')
    }
  }

  test('a new key makes its bearer anonymous, and one that was valid stays valid for an hour', async () => {
    const [good, other] = [makeKey(), makeKey()]
    expect(await actorOf(good)).toMatchObject({ kind: 'admin' })
    await withoutIdentity(async () => {
      expect(await actorOf(good)).toMatchObject({ kind: 'admin' })
      expect(await actorOf(other)).toEqual(ANONYMOUS)
      clock.advance(60_000)
      expect(await actorOf(good)).toMatchObject({ kind: 'admin', userId: idOf(good), permissions: ['catalog:write'] })
      clock.advance(58 * 60_000)
      expect(await actorOf(good)).toMatchObject({ kind: 'admin' })
      clock.advance(60_000)
      expect(await actorOf(good)).toEqual(ANONYMOUS)
    })
    clock.advance(5000)
    expect(await actorOf(good)).toMatchObject({ kind: 'admin' })
  })

  test('a key still expires and can be revoked, and afterwards identity decides again', async () => {
    const ending = makeKey(new Date(clock.now().getTime() + 120_000).toISOString())
    const [revoked, withdrawn] = [makeKey(), makeKey()]
    for (const key of [ending, revoked, withdrawn]) expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
    await withoutIdentity(async () => {
      clock.advance(60_000)
      for (const key of [ending, revoked, withdrawn]) expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
      await redis.set(revokedKey(suite.namespace, idOf(revoked)), '1')
      expect(await actorOf(revoked)).toEqual(ANONYMOUS)
      clock.advance(60_000)
      expect(await actorOf(ending)).toEqual(ANONYMOUS)
      expect(await actorOf(withdrawn)).toMatchObject({ kind: 'admin' })
    })
    keys.delete(apiKeyDigest(withdrawn))
    clock.advance(5000)
    expect(await actorOf(withdrawn)).toEqual(ANONYMOUS)
  })

  test('a key that was valid does not wait for identity at every request', async () => {
    const key = makeKey()
    expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
    clock.advance(60_000)
    let release = () => {}
    hold = new Promise((resolve) => (release = resolve))
    requests.splice(0)
    expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
    for (let round = 0; round < 5; round++) expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
    expect(new Set(requests)).toEqual(new Set([apiKeyDigest(key)]))
    release()
    hold = undefined
  })
})
