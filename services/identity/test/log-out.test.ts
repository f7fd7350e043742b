import { Redis } from 'ioredis'
import { actorSigner, serverRunOf, systemClock } from '@storefront/service'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { createActorKeys } from '@storefront/service/testing'
import { ACTOR_HEADER, CheckSession, revocationsMark, revokedKey } from '@storefront/contracts'
import { startOwnRedis, waitFor, type OwnRedis } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, claimsOf, createSetting, PASSWORD, tokenOf, type Setting } from './setting.ts'

let server: OwnRedis
let redis: Redis
let shop: Setting
let gateway: Messaging

beforeAll(async () => {
  server = await startOwnRedis()
  redis = new Redis(server.url)
  redis.on('error', () => {})
  shop = await createSetting({ REDIS_URL: server.url })
  gateway = await shop.suite.openMessaging('gateway')
})
afterAll(async () => {
  await shop.stop()
  redis.disconnect()
  await server.remove()
})

interface SignedIn {
  customerId: string
  sessionId: string
}

async function signIn(): Promise<SignedIn> {
  const { token, customer } = await shop.register()
  return { customerId: customer.id, sessionId: String(claimsOf(token)['sid']) }
}

const logOut = ({ customerId, sessionId }: SignedIn) =>
  shop.call('POST', '/auth/logout', undefined, shop.as(customerId, sessionId))

const isActive = async (sessionId: string): Promise<boolean> =>
  (await sendRequest(gateway, CheckSession, { sessionId })).active

const key = (sessionId: string) => revokedKey(shop.suite.namespace, sessionId)

describe('signing out', () => {
  test('ends the session at once in the table and in Redis, for as long as its token would be valid', async () => {
    const session = await signIn()
    const other = await signIn()
    await waitFor('the reply of identity', () => isActive(session.sessionId))
    expect(await logOut(session)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await isActive(session.sessionId)).toBe(false)
    const days = (await redis.ttl(key(session.sessionId))) / (24 * 3600)
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
    expect(await isActive(other.sessionId)).toBe(true)
    expect(await redis.exists(key(other.sessionId))).toBe(0)
  })

  test('repeated, or without any session, succeeds', async () => {
    const session = await signIn()
    for (let round = 0; round < 2; round++) expect(await logOut(session)).toMatchObject({ body: { ok: true } })
    expect(await shop.call('POST', '/auth/logout')).toMatchObject({ status: 200, body: { ok: true } })
    const withBody = await shop.call('POST', '/auth/logout', {}, { authorization: 'Bearer nonsense' })
    expect(withBody).toMatchObject({ status: 200, body: { ok: true } })
  })

  test('works with the token alone, when the gateway could not identify the caller', async () => {
    const { token } = await shop.register()
    const sessionId = String(claimsOf(token)['sid'])
    await shop.call('POST', '/auth/logout', undefined, { authorization: `Bearer ${token}` })
    expect(await isActive(sessionId)).toBe(false)
  })

  test('ends nothing for a token that was tampered with', async () => {
    const { token } = await shop.register()
    const sessionId = String(claimsOf(token)['sid'])
    const [head = '', claims = '', signature = ''] = token.split('.')
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    for (const forged of [`${unsigned}.${claims}.`, `${head}.${claims}.${flipped}`, `${head}.${claims}`, 'a.b.c']) {
      const response = await shop.call('POST', '/auth/logout', undefined, { authorization: `Bearer ${forged}` })
      expect(response).toMatchObject({ status: 200, body: { ok: true } })
    }
    await shop.call('POST', '/admin/auth/logout', undefined, { authorization: `Bearer ${token}` })
    expect(await isActive(sessionId)).toBe(true)
  })

  test('everywhere ends all sessions of the customer, and no other', async () => {
    const one = await shop.register('everywhere@mail.example')
    const more = await Promise.all(
      [0, 1].map(() => shop.call('POST', '/auth/login', { email: 'everywhere@mail.example', password: PASSWORD })),
    )
    const sessions = [one.token, ...more.map(tokenOf)].map((token) => String(claimsOf(token)['sid']))
    const outsider = await signIn()
    const signOut = (everywhere: boolean, sessionId = '') =>
      shop.call('POST', '/auth/logout', { everywhere }, shop.as(one.customer.id, sessionId))

    await signOut(false, sessions[0])
    expect(await Promise.all(sessions.map(isActive))).toEqual([false, true, true])
    // A token that was signed out may be in wrong hands: it must not sign out its owner.
    await signOut(true, sessions[0])
    expect(await Promise.all(sessions.map(isActive))).toEqual([false, true, true])
    expect(await signOut(true, sessions[1])).toMatchObject({ status: 200, body: { ok: true } })
    expect(await Promise.all(sessions.map(isActive))).toEqual([false, false, false])
    expect(await redis.exists(...sessions.map(key))).toBe(3)
    expect(await isActive(outsider.sessionId)).toBe(true)
  })

  test('works while Redis is down, and Redis gets it when it is back', async () => {
    const session = await signIn()
    await server.kill()
    expect(await logOut(session)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await shop.register()).customer.firstName).toBe('Ada')
    expect(await isActive(session.sessionId)).toBe(false)
    await server.start()
    await waitFor('the repair', async () => (await redis.exists(key(session.sessionId))) === 1)
    expect(await redis.ttl(key(session.sessionId))).toBeGreaterThan(0)
  })

  test('is restored in a Redis that lost everything', async () => {
    const session = await signIn()
    await logOut(session)
    await redis.flushall()
    await waitFor('the repair', async () => (await redis.exists(key(session.sessionId))) === 1)
    expect(await redis.ttl(key(session.sessionId))).toBeGreaterThan(0)
  })
})

describe('a Redis that was restarted', () => {
  const mark = () => redis.get(revocationsMark(shop.suite.namespace))

  test('gets every logout, also when it started with an older state, and only then counts as complete', async () => {
    const session = await signIn()
    await logOut(session)
    const before = await waitFor(
      'the mark',
      async () => (await mark()) === (await serverRunOf(redis)) && (await mark()),
    )
    // As after a crash: the mark survived, and the last write was lost.
    await redis.del(key(session.sessionId))
    await server.stop()
    await server.start()
    await waitFor('the mark of the new run', async () => {
      const found = await mark()
      return found !== null && found !== before && found === (await serverRunOf(redis))
    })
    expect(await redis.exists(key(session.sessionId))).toBe(1)
  })

  test('is repaired only by the replica that holds the lease, until the lease ends', async () => {
    const lease = `repairing ${await serverRunOf(redis)} by another replica`
    const session = await signIn()
    await logOut(session)
    const startedMs = performance.now()
    await redis.set(revocationsMark(shop.suite.namespace), lease, 'PX', 4000)
    await redis.del(key(session.sessionId))
    expect(await mark()).toBe(lease)
    await waitFor('the repair', async () => (await redis.exists(key(session.sessionId))) === 1)
    // Without the lease it would begin within three seconds. The clock of Redis may differ a little.
    expect(performance.now() - startedMs).toBeGreaterThan(3900)
    await waitFor('the mark', async () => (await mark()) === (await serverRunOf(redis)))
  })
})

describe('signing out as an admin', () => {
  async function signInAsAdmin(): Promise<{ token: string; userId: string; sessionId: string }> {
    const token = tokenOf(await shop.call('POST', '/admin/auth/login', ADMIN))
    return { token, userId: String(claimsOf(token)['sub']), sessionId: String(claimsOf(token)['sid']) }
  }
  const actor = (userId: string, sessionId?: string) => shop.asAdmin(userId, ['catalog:read'], sessionId)

  test('ends the session of the token and no other', async () => {
    const [one, other] = [await signInAsAdmin(), await signInAsAdmin()]
    const headers = { ...actor(one.userId), authorization: `Bearer ${one.token}` }
    expect(await shop.call('POST', '/admin/auth/logout', undefined, headers)).toMatchObject({ body: { ok: true } })
    expect([await isActive(one.sessionId), await isActive(other.sessionId)]).toEqual([false, true])
    expect(await redis.exists(key(one.sessionId))).toBe(1)
  })

  test('ends the session of the actor when the token is not passed on, and nothing for a key, which has none', async () => {
    const [one, other] = [await signInAsAdmin(), await signInAsAdmin()]
    await shop.call('POST', '/admin/auth/logout', undefined, actor(one.userId))
    expect(await isActive(one.sessionId)).toBe(true)
    await shop.call('POST', '/admin/auth/logout', undefined, actor(one.userId, one.sessionId))
    expect([await isActive(one.sessionId), await isActive(other.sessionId)]).toEqual([false, true])
  })

  test('is not done with a forged actor', async () => {
    const { userId, sessionId } = await signInAsAdmin()
    const forged = actorSigner(createActorKeys().privateKey, systemClock)
    const headers = { [ACTOR_HEADER]: forged({ kind: 'admin', userId, permissions: [] }) }
    expect(await shop.call('POST', '/admin/auth/logout', undefined, headers)).toMatchObject({ body: { ok: true } })
    expect(await isActive(sessionId)).toBe(true)
  })
})
