import { Redis } from 'ioredis'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWTHeaderParameters } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CheckSession, PERMISSIONS, revokedKey, type Actor } from '@storefront/contracts'
import { replyTo, type Messaging } from '@storefront/messaging'
import { createSuite, startOwnRedis, waitFor, type OwnRedis, type Suite } from '@storefront/tools/testing'
import {
  Echo,
  echo,
  json,
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
let identity: Identity
let catalog: TestService
let gateway: TestGateway
let messaging: Messaging

const open = new Set<string>()
const ADMIN = { aud: 'admin', sub: 'user_1', sid: 'sess_admin', perms: ['catalog:write', 'something:new'] }
const nowS = () => Math.floor(Date.now() / 1000)
const ANONYMOUS: Actor = { kind: 'anonymous' }
const CUSTOMER: Actor = { kind: 'customer', customerId: 'cus_1', sessionId: 'sess_1' }

beforeAll(async () => {
  suite = await createSuite()
  redisServer = await startOwnRedis()
  await markRevocationsComplete(suite, redisServer.url)
  identity = await startIdentity()
  catalog = await startService(echo)
  gateway = await runGateway(
    suite,
    { identity: identity.service.url, catalog: catalog.url, orders: catalog.url },
    { REDIS_URL: redisServer.url },
  )
  messaging = await suite.openMessaging('identity')
  replyTo({ messaging, verifyActor: gateway.verifyActor, log: suite.log }, CheckSession, async ({ sessionId }) => ({
    active: open.has(sessionId),
  }))
  await waitFor('the signing keys', async () => (await actorOf(await identity.sign({}))).kind === 'customer')
})

afterAll(async () => {
  await gateway.stop()
  await Promise.all([identity.service.stop(), catalog.stop()])
  await redisServer.remove()
  await suite.stop()
})

/** The caller that a service sees. */
async function actorOf(token: string, scheme = 'Bearer'): Promise<Actor> {
  const response = await fetch(`${gateway.url}/admin/products`, { headers: { authorization: `${scheme} ${token}` } })
  expect(response.status).toBe(200)
  const { headers } = Echo.parse(await response.json())
  return gateway.verifyActor(headers['x-actor']) ?? ANONYMOUS
}

/** A token with the claims that identity writes, under any header and signed with any key. */
function forge(header: JWTHeaderParameters, key: CryptoKey | Uint8Array): Promise<string> {
  return new SignJWT({ sid: 's' })
    .setProtectedHeader(header)
    .setIssuer('storefront')
    .setAudience('storefront')
    .setSubject('c')
    .setExpirationTime('1h')
    .sign(key)
}

async function withRedis<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(redisServer.url)
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

describe('a token that identity signed', () => {
  test('makes its bearer a customer or an admin', async () => {
    expect(await actorOf(await identity.sign({}))).toEqual(CUSTOMER)
    expect(await actorOf(await identity.sign(ADMIN))).toEqual({
      kind: 'admin',
      userId: 'user_1',
      sessionId: 'sess_admin',
      permissions: ['catalog:write'],
    })
  })

  test('identifies a customer who repeats a checkout, and an admin gets an idempotency key for it', async () => {
    const keyFor = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${gateway.url}/carts/cart_1/checkout`, { method: 'POST', body: '{}', headers })
      return Echo.parse(await response.json()).headers['idempotency-key']
    }
    expect(await keyFor(await identity.sign({}))).toBeUndefined()
    expect(await keyFor(await identity.sign(ADMIN))).toMatch(/^[\w-]{36}$/)
  })

  test('causes no further request for the keys, however often it is sent', async () => {
    const token = await identity.sign({})
    const before = identity.service.requests.length
    for (let round = 0; round < 20; round++) expect(await actorOf(token)).toEqual(CUSTOMER)
    expect(identity.service.requests.length).toBe(before)
  })

  test('is still valid after the keys were rotated, and so is a new token', async () => {
    const token = await identity.sign({})
    await identity.rotate('key-2')
    expect(await actorOf(token)).toEqual(CUSTOMER)
    const fresh = await identity.sign({ sub: 'cus_2' })
    await waitFor('the new key', async () => (await actorOf(fresh)).kind === 'customer')
  })

  test('is still valid while identity is down', async () => {
    const token = await identity.sign({ sid: 'sess_while_down' })
    await identity.service.stop()
    expect(await actorOf(token)).toMatchObject({ kind: 'customer', sessionId: 'sess_while_down' })
    await identity.service.start()
  })

  test('is valid when the clock of identity or that of the gateway is up to a minute ahead', async () => {
    const ahead = { iat: nowS() + 59, nbf: nowS() + 59 }
    expect(await actorOf(await identity.sign(ahead))).toEqual(CUSTOMER)
    expect(await actorOf(await identity.sign({}, { expiresIn: '-50s' }))).toEqual(CUSTOMER)
  })

  test('ends at once when its session is revoked', async () => {
    const token = await identity.sign({ sid: 'sess_revoked' })
    expect(await actorOf(token)).toMatchObject({ kind: 'customer' })
    await withRedis((redis) => redis.set(revokedKey(suite.namespace, 'sess_revoked'), '1'))
    expect(await actorOf(token)).toEqual(ANONYMOUS)
  })
})

describe('the caller is an anonymous visitor when a token', () => {
  /** A valid token with another header and its old signature. */
  async function withHeader(header: Record<string, unknown>): Promise<string> {
    return replaced(await identity.sign({}), 0, header)
  }

  /** A valid token with other claims and its old signature. */
  async function withClaims(before: Record<string, unknown>, after: Record<string, unknown>): Promise<string> {
    return replaced(await identity.sign(before), 1, after)
  }

  function replaced(token: string, part: 0 | 1, changes: Record<string, unknown>): string {
    const parts = token.split('.')
    const before: unknown = JSON.parse(Buffer.from(parts[part] ?? '', 'base64url').toString())
    parts[part] = Buffer.from(JSON.stringify(Object.assign({}, before, changes))).toString('base64url')
    return parts.join('.')
  }

  test.each<[string, () => Promise<string>]>([
    ['has expired', () => identity.sign({}, { expiresIn: '-61s' })],
    ['is not valid yet', () => identity.sign({ nbf: nowS() + 120 })],
    ['is for another audience', () => identity.sign({ aud: 'elsewhere' })],
    ['is for several audiences', () => identity.sign({ aud: ['storefront', 'admin'] })],
    ['is from another issuer', () => identity.sign({ iss: 'elsewhere' })],
    ['has no session', () => identity.sign({ sid: undefined })],
    ['is an admin token without permissions', () => identity.sign({ aud: 'admin' })],
    [
      'was tampered with',
      async () =>
        (await identity.sign({})).replace(
          /\.[^.]+\./,
          `.${Buffer.from(JSON.stringify({ iss: 'storefront', aud: 'admin', sub: 'x', sid: 'y', perms: PERMISSIONS, exp: nowS() + 99 })).toString('base64url')}.`,
        ),
    ],
    [
      'is not signed at all',
      async () =>
        new UnsecuredJWT({ iss: 'storefront', aud: 'storefront', sub: 'cus_1', sid: 's' })
          .setExpirationTime('1h')
          .encode(),
    ],
    ['is signed with a secret', () => forge({ alg: 'HS256', kid: 'key-1' }, Buffer.alloc(32, 'x'))],
    [
      'is signed with another key',
      async () => forge({ alg: 'EdDSA', kid: 'key-1' }, (await generateKeyPair('EdDSA')).privateKey),
    ],
    [
      'names an unknown key',
      async () => forge({ alg: 'EdDSA', kid: 'made-up' }, (await generateKeyPair('EdDSA')).privateKey),
    ],
    [
      'names one key and is signed with another, both of identity',
      async () => {
        await identity.rotate('key-swapped')
        const good = await identity.sign({ sid: 'sess_of_the_other_key' })
        await waitFor('the other signing key', async () => (await actorOf(good)).kind === 'customer')
        return identity.sign({}, { kid: 'key-swapped', header: { kid: 'key-1' } })
      },
    ],
    ['demands an unknown extension', () => withHeader({ crit: ['exp'], exp: 1 })],
    ...['ES256', 'RS256', 'PS256', 'EdDSA-but-not', ''].map((alg): [string, () => Promise<string>] => [
      `claims to be signed with "${alg}"`,
      () => withHeader({ alg }),
    ]),
    ['is an admin token whose audience was swapped', () => withClaims(ADMIN, { aud: 'storefront' })],
    ['is a customer token whose audience was swapped', () => withClaims({}, { aud: 'admin', perms: PERMISSIONS })],
    ['has no expiry', async () => (await identity.sign({})).replace(/\.[^.]+\./, '.e30.')],
    ['is a secret key', async () => 'sk_live_abc'],
    ['is malformed', async () => 'a.b.c'],
    ['is enormous', async () => `${'a'.repeat(5000)}.b.c`],
  ])('%s', async (_name, token) => {
    expect(await actorOf(await token())).toEqual(ANONYMOUS)
  })

  test('is a publishable key, which is rejected under /admin', async () => {
    const headers = { authorization: 'Bearer pk_live_abc' }
    const response = await fetch(`${gateway.url}/me`, { headers })
    expect(gateway.verifyActor(Echo.parse(await response.json()).headers['x-actor'])).toEqual(ANONYMOUS)
    const rejected = await fetch(`${gateway.url}/admin/products`, { headers })
    expect([rejected.status, await rejected.json()]).toMatchObject([403, { code: 'forbidden' }])
    expect((await fetch(`${gateway.url}/admin/auth/login`, { method: 'POST', headers })).status).toBe(200)
  })

  test('is sent under another scheme', async () => {
    expect(await actorOf(await identity.sign({}), 'Basic')).toEqual(ANONYMOUS)
  })
})

describe('a key inside a token', () => {
  test('is ignored: neither the key nor its URL is used', async () => {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'EdDSA' }
    const theirs = await startService((_request, response) => json(response, 200, { keys: [jwk] }))
    const places = [{ jwk }, { jku: theirs.url }, { x5u: theirs.url }, { x5c: ['MIIB'] }]
    for (const place of places) {
      for (const kid of ['key-1', 'key-of-theirs', undefined]) {
        const token = await forge({ alg: 'EdDSA', ...(kid === undefined ? {} : { kid }), ...place }, privateKey)
        expect(await actorOf(token)).toEqual(ANONYMOUS)
      }
      // The key must not invalidate a token that is valid without it.
      expect(await actorOf(await identity.sign({}, { kid: 'key-1', header: place }))).toEqual(CUSTOMER)
    }
    expect(theirs.requests).toEqual([])
    await theirs.stop()
  })
})

test('an unknown key id causes a fetch of the keys once in a while, not with every request', async () => {
  const { privateKey } = await generateKeyPair('EdDSA')
  const before = identity.service.requests.length
  for (let round = 0; round < 20; round++) {
    const token = await new SignJWT({ sid: `s${round}` })
      .setProtectedHeader({ alg: 'EdDSA', kid: `made-up-${round}` })
      .setIssuer('storefront')
      .setAudience('storefront')
      .setSubject('c')
      .setExpirationTime('1h')
      .sign(privateKey)
    expect(await actorOf(token)).toEqual(ANONYMOUS)
  }
  expect(identity.service.requests.length - before).toBeLessThanOrEqual(1)
})

test('without Redis identity reports which sessions are open, and without both all callers are anonymous', async () => {
  await redisServer.kill()
  open.add('sess_open')
  await waitFor(
    'identity to report the session',
    async () => (await actorOf(await identity.sign({ sid: 'sess_open' }))).kind === 'customer',
  )
  expect(await actorOf(await identity.sign({ sid: 'sess_closed' }))).toEqual(ANONYMOUS)
  await messaging.close()
  expect(await actorOf(await identity.sign({ sid: 'sess_other' }))).toEqual(ANONYMOUS)
  expect((await fetch(`${gateway.url}/products/shirt`)).status).toBe(200)
  const token = await identity.sign({ ...ADMIN, aud: 'console', sid: 'sess_unknown' })
  const signOut = await fetch(`${gateway.url}/admin/console/session`, {
    method: 'DELETE',
    headers: { cookie: `console_session=${token}`, 'x-console': '1' },
  })
  const { authorization, 'x-actor': actor } = Echo.parse(await signOut.json()).headers
  expect([gateway.verifyActor(actor), authorization]).toEqual([ANONYMOUS, `Bearer ${token}`])

  await redisServer.start()
  await markRevocationsComplete(suite, redisServer.url)
  await waitFor('Redis', async () => (await actorOf(await identity.sign({ sid: 'sess_later' }))).kind === 'customer')
})

describe('the token of the console', () => {
  const CONSOLE = { aud: 'console', sub: 'user_1', sid: 'sess_console', perms: ['catalog:write'] }
  const FROM_PAGE = { 'x-console': '1', 'sec-fetch-site': 'same-origin' }

  async function echoOf(headers: Record<string, string>, path = '/admin/products'): Promise<Record<string, string>> {
    const response = await fetch(`${gateway.url}${path}`, { headers })
    return Echo.parse(await response.json()).headers
  }
  async function callerOf(headers: Record<string, string>, path?: string): Promise<Actor> {
    return gateway.verifyActor((await echoOf(headers, path))['x-actor']) ?? ANONYMOUS
  }

  test('identifies the user of a request of its page, and is not passed on to a service', async () => {
    const cookie = `first=1; console_session=${await identity.sign(CONSOLE)}; last=2`
    const headers = await echoOf({ cookie, ...FROM_PAGE })
    expect(gateway.verifyActor(headers['x-actor'])).toEqual({
      kind: 'admin',
      userId: 'user_1',
      sessionId: 'sess_console',
      permissions: ['catalog:write'],
    })
    expect(headers['cookie']?.replaceAll(' ', '')).toBe('first=1;last=2')
  })

  test('is not accepted without the header that pages of other origins cannot send', async () => {
    const cookie = `console_session=${await identity.sign(CONSOLE)}`
    expect(await callerOf({ cookie })).toEqual(ANONYMOUS)
    expect(await callerOf({ cookie, 'sec-fetch-site': 'same-origin' })).toEqual(ANONYMOUS)
  })

  test.each(['cross-site', 'same-site', 'none'])('is not accepted from a page that is %s', async (site) => {
    const cookie = `console_session=${await identity.sign(CONSOLE)}`
    expect(await callerOf({ cookie, ...FROM_PAGE, 'sec-fetch-site': site })).toEqual(ANONYMOUS)
  })

  test('is not accepted as a bearer, and a bearer is not accepted in the cookie', async () => {
    expect(await actorOf(await identity.sign(CONSOLE))).toEqual(ANONYMOUS)
    const cookie = `console_session=${await identity.sign(ADMIN)}`
    expect(await callerOf({ cookie, ...FROM_PAGE })).toEqual(ANONYMOUS)
  })

  test('has no effect outside of /admin', async () => {
    const cookie = `console_session=${await identity.sign(CONSOLE)}`
    expect(await callerOf({ cookie, ...FROM_PAGE }, '/size-charts?console=1')).toEqual(ANONYMOUS)
  })

  describe('of a page that signs out', () => {
    const signOut = async (headers: Record<string, string>, { method = 'DELETE', path = 'session' } = {}) => {
      const response = await fetch(`${gateway.url}/admin/console/${path}`, { method, headers })
      return Echo.parse(await response.json()).headers
    }

    test('reaches identity as a bearer, also when its caller counts as anonymous', async () => {
      const token = await identity.sign(CONSOLE)
      const cookie = `console_session=${token}`
      expect(await signOut({ cookie, ...FROM_PAGE })).toMatchObject({ authorization: `Bearer ${token}` })
      const ended = await identity.sign({ ...CONSOLE, sid: 'sess_ended' })
      await withRedis((redis) => redis.set(revokedKey(suite.namespace, 'sess_ended'), '1'))
      const sent = { cookie: `console_session=${ended}`, ...FROM_PAGE }
      const { authorization, cookie: passed, 'x-actor': actor } = await signOut(sent)
      expect([authorization, passed]).toEqual([`Bearer ${ended}`, undefined])
      expect(gateway.verifyActor(actor)).toEqual(ANONYMOUS)
      // A password in front of the whole shop, which a browser adds to each request.
      const basic = { authorization: 'Basic c2hvcDpvcGVu' }
      expect(await signOut({ cookie, ...basic, ...FROM_PAGE })).toMatchObject({ authorization: `Bearer ${token}` })
    })

    test('reaches no service with any other request, or from another page, or beside a bearer', async () => {
      const cookie = `console_session=${await identity.sign(CONSOLE)}`
      const sent = { cookie, ...FROM_PAGE }
      for (const headers of [
        await signOut(sent, { method: 'POST' }),
        await signOut(sent, { path: 'session/renew' }),
        await signOut({ cookie }),
        await signOut({ ...sent, 'sec-fetch-site': 'same-site' }),
        await signOut({ ...sent, cookie: `console_session=a%0d%0ab` }),
      ]) {
        expect(headers['authorization']).toBeUndefined()
        expect(headers['cookie']).toBeUndefined()
      }
      expect(await signOut({ ...sent, authorization: 'Bearer a.b.c' })).toMatchObject({ authorization: 'Bearer a.b.c' })
    })
  })

  test('gives way to a token that is sent with it', async () => {
    const cookie = `console_session=${await identity.sign(CONSOLE)}`
    const authorization = `Bearer ${await identity.sign({})}`
    expect(await callerOf({ cookie, authorization, ...FROM_PAGE })).toEqual(CUSTOMER)
  })

  test('is not accepted once it expired', async () => {
    const cookie = `console_session=${await identity.sign(CONSOLE, { expiresIn: '-61s' })}`
    expect(await callerOf({ cookie, ...FROM_PAGE })).toEqual(ANONYMOUS)
  })

  test('cannot be used by an allowed storefront, whose preflight does not allow the header', async () => {
    const response = await fetch(`${gateway.url}/admin/products`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:5173', 'access-control-request-headers': 'x-console' },
    })
    expect(response.headers.get('access-control-allow-headers')).not.toContain('x-console')
  })
})
