import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiKeyDigest, CheckSession, FindApiKey, revocationsMark, revokedKey, type Actor } from '@storefront/contracts'
import { replyTo, manualClock, openMessaging, type Messaging } from '@storefront/chassis'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { Echo, echo, runGateway, startService, vouchForRedis, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let catalog: TestService
let gateway: TestGateway
let messaging: Messaging
let redis: Redis

const clock = manualClock('2026-03-01T12:00:00.000Z')
const ANONYMOUS: Actor = { kind: 'anonymous' }

/** What identity knows, by digest, and what it was asked. */
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
  messaging = connectIdentity()
  await vouchForRedis(suite)
  await waitFor('identity', async () => (await actorOf(makeKey())).kind === 'admin')
})

afterAll(async () => {
  await messaging.close()
  await gateway.stop()
  await catalog.stop()
  redis.disconnect()
  await suite.stop()
})

beforeEach(() => void requests.splice(0))

function connectIdentity(): Messaging {
  const connected = openMessaging({
    url: suite.env('identity')['NATS_URL'] ?? '',
    service: 'identity',
    namespace: suite.namespace,
    log: suite.log,
  })
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
/** A key that identity knows. */
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
  test('makes its bearer an admin of its own name, without a session, allowed what this gateway knows', async () => {
    const key = makeKey()
    expect(await actorOf(key)).toEqual({ kind: 'admin', userId: idOf(key), permissions: ['catalog:write'] })
  })

  test('is asked for once a minute and by its digest, however many requests come at once', async () => {
    const key = makeKey()
    let release = () => {}
    hold = new Promise((resolve) => (release = resolve))
    const first = Array.from({ length: 20 }, () => actorOf(key))
    await waitFor('the question', () => requests.length > 0)
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

  test('that nobody knows is asked for every five seconds, and counts as soon as somebody does', async () => {
    const key = randomKey()
    for (let round = 0; round < 5; round++) expect(await actorOf(key)).toEqual(ANONYMOUS)
    expect(requests).toHaveLength(1)
    keys.set(apiKeyDigest(key), { id: 'key_late', permissions: [] })
    clock.advance(5000)
    expect(await actorOf(key)).toMatchObject({ kind: 'admin', userId: 'key_late' })
  })

  test('ends to the millisecond, although it is remembered', async () => {
    const key = makeKey(new Date(clock.now().getTime() + 30_000).toISOString())
    expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
    clock.advance(29_999)
    expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
    clock.advance(1)
    expect(await actorOf(key)).toEqual(ANONYMOUS)
    expect(requests).toHaveLength(1)
  })

  test('ends at once when it is revoked, although it is remembered', async () => {
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
      await vouchForRedis(suite)
    }
    expect(await actorOf(revoked)).toMatchObject({ kind: 'admin' })
  })

  test.each([
    ['has no more than its beginning', 'sk_'],
    ['is too short', `sk_${'a'.repeat(42)}`],
    ['is too long', `sk_${'a'.repeat(44)}`],
    ['has letters that none has', `sk_${'a'.repeat(42)}+`],
    ['begins with capitals', `SK_${'a'.repeat(43)}`],
  ])('that %s is nobody, and nobody is asked', async (_what, key) => {
    expect(await actorOf(key)).toEqual(ANONYMOUS)
    expect(requests).toEqual([])
  })

  test('under another scheme is nobody', async () => {
    const headers = { authorization: `Basic ${makeKey()}` }
    const response = await fetch(`${gateway.url}/admin/products`, { headers })
    expect(gateway.verifyActor(Echo.parse(await response.json()).headers['x-actor'])).toEqual(ANONYMOUS)
  })

  test('is in no line of a log, wherever it comes', async () => {
    const lines: string[] = []
    const log = pino(
      { level: 'trace' },
      new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(String(chunk)), done()) }),
    )
    const logged = await runGateway({ ...suite, log }, { catalog: catalog.url })
    const [good, unknown] = [makeKey(), randomKey()]
    await waitFor('NATS', async () => (await actorOf(good, logged)).kind === 'admin')
    await actorOf(unknown, logged)
    for (const path of [`/admin/api-keys/${good}`, `/products?key=${good}`, `/carts/${good}`]) {
      await (await fetch(logged.url + path, { headers: { authorization: `Bearer ${good}` } })).arrayBuffer()
    }
    await logged.stop()
    const text = lines.join('')
    expect(text).toContain('"answered"')
    for (const key of [good, unknown]) expect(text).not.toContain(key.slice(3))
  })
})

describe('while questions about made-up keys wait for identity', () => {
  let proxied: TestGateway
  let release = () => {}
  let madeUp: Promise<Actor>[] = []

  beforeAll(async () => {
    const urls = { catalog: catalog.url, identity: catalog.url }
    proxied = await runGateway(suite, urls, { TRUST_PROXY: '1', UPSTREAM_TIMEOUT_MS: '10000' }, clock)
    await waitFor('NATS', async () => (await actorOf(makeKey(), proxied)).kind === 'admin')
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

  const knock = (client: number, keys: number) => {
    madeUp = madeUp.concat(Array.from({ length: keys }, () => actorOf(randomKey(), proxied, `198.51.100.${client}`)))
  }

  test('a key that was good is asked for all the same when its minute is over', async () => {
    release()
    const key = makeKey()
    expect(await actorOf(key, proxied)).toMatchObject({ kind: 'admin' })
    clock.advance(60_000)
    requests.splice(0)
    hold = new Promise((resolve) => (release = resolve))
    for (let client = 0; client < 15; client++) knock(client, 20)
    await waitFor('as many as are asked', () => requests.length >= 200)
    const actor = actorOf(key, proxied)
    await waitFor('the question', () => requests.includes(apiKeyDigest(key)))
    release()
    expect(await actor).toMatchObject({ kind: 'admin' })
  })

  test('one client asks so many and no more, and the good key of another that nobody has met counts', async () => {
    knock(1, 300)
    await waitFor('as many as one client has', () => requests.length >= 20)
    const key = makeKey()
    const actor = actorOf(key, proxied)
    await waitFor('the question', () => requests.includes(apiKeyDigest(key)))
    release()
    expect(await actor).toMatchObject({ kind: 'admin' })
    await Promise.all(madeUp)
    // Whoever came when the first were answered was asked about in his turn.
    expect(await actorOf(makeKey(), proxied, '198.51.100.1')).toMatchObject({ kind: 'admin' })
  })
})

describe('while identity cannot be asked', () => {
  const away = async (then: () => Promise<void>) => {
    await messaging.close()
    try {
      await then()
    } finally {
      messaging = connectIdentity()
      await waitFor('identity', async () => (await actorOf(makeKey())).kind === 'admin')
    }
  }

  test('a key that nobody has met is nobody, and one that was good goes on for an hour', async () => {
    const [good, other] = [makeKey(), makeKey()]
    expect(await actorOf(good)).toMatchObject({ kind: 'admin' })
    await away(async () => {
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

  test('its own end and its revocation still count, and afterwards identity decides again', async () => {
    const ending = makeKey(new Date(clock.now().getTime() + 120_000).toISOString())
    const [revoked, withdrawn] = [makeKey(), makeKey()]
    for (const key of [ending, revoked, withdrawn]) expect(await actorOf(key)).toMatchObject({ kind: 'admin' })
    await away(async () => {
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

  test('nobody waits for it with every request', async () => {
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
