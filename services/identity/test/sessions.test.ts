import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { transaction } from '@storefront/postgres'
import { revokedKey } from '@storefront/contracts'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../src/database.ts'
import { RETENTION } from '../src/retention.ts'
import { isSessionActive } from '../src/sessions/sessions.queries.ts'
import { rotateSigningKey } from '../src/tokens/rotate-signing-key.ts'
import { decryptPrivateKey } from '../src/tokens/signing-key.ts'
import { findSigningKey } from '../src/tokens/signing-keys.queries.ts'
import { ADMIN, claimsOf, createSetting, openDatabase, PASSWORD, tokenOf, type Setting } from './setting.ts'

const HOUR_MS = 3600 * 1000

const clock = manualClock('2026-03-01T12:00:00.000Z')
let shop: Setting
let db: Database
let redis: Redis

beforeAll(async () => {
  shop = await createSetting({}, clock)
  redis = new Redis(shop.suite.redisUrl)
  db = openDatabase(shop.suite, 2)
})
afterAll(async () => {
  redis.disconnect()
  await db.destroy()
  await shop.stop()
})

const post = (path: string, body: object, customerId: string, sessionId?: string) =>
  shop.call('POST', path, body, shop.as(customerId, sessionId))

describe('a session', () => {
  test('of an admin lasts 12 hours, one of a customer 30 days, and both are deleted a day later', async () => {
    const admin = String(claimsOf(tokenOf(await shop.call('POST', '/admin/auth/login', ADMIN)))['sid'])
    const customer = String(claimsOf((await shop.register()).token)['sid'])
    const active = async (): Promise<boolean[]> =>
      Promise.all([admin, customer].map((sessionId) => isSessionActive(db, sessionId, clock.now())))

    expect(await active()).toEqual([true, true])
    clock.advance(12 * HOUR_MS - 1)
    expect(await active()).toEqual([true, true])
    clock.advance(1)
    expect(await active()).toEqual([false, true])
    clock.advance(30 * 24 * HOUR_MS - 12 * HOUR_MS - 1)
    expect(await active()).toEqual([false, true])
    clock.advance(1)
    expect(await active()).toEqual([false, false])

    const kept = async (): Promise<unknown[]> => {
      await followRule(RETENTION['expired sessions'], { db, clock })
      return shop.suite.sql('select id from identity.sessions')
    }
    expect(await kept()).toEqual([{ id: customer }])
    clock.advance(24 * HOUR_MS + 1)
    expect(await kept()).toEqual([])
  })

  test('can be ended for as long as a gateway still accepts its token', async () => {
    const ends: [string, (session: { customerId: string; sessionId: string }) => Promise<unknown>][] = [
      ['log out', ({ customerId, sessionId }) => post('/auth/logout', {}, customerId, sessionId)],
      [
        'log out everywhere',
        ({ customerId, sessionId }) => post('/auth/logout', { everywhere: true }, customerId, sessionId),
      ],
      ['delete', ({ customerId }) => shop.call('DELETE', '/me', { password: PASSWORD }, shop.as(customerId))],
      [
        'change the password',
        ({ customerId }) =>
          post('/auth/password/change', { currentPassword: PASSWORD, newPassword: 'another good one' }, customerId),
      ],
    ]
    const sessions: { customerId: string; sessionId: string }[] = []
    while (sessions.length < ends.length) {
      const { token, customer } = await shop.register()
      sessions.push({ customerId: customer.id, sessionId: String(claimsOf(token)['sid']) })
    }
    clock.advance(30 * 24 * HOUR_MS + 2 * 60_000 - 1)
    for (const [index, [name, end]] of ends.entries()) {
      const session = sessions[index] ?? { customerId: '', sessionId: '' }
      expect(await end(session), name).toMatchObject({ status: 200 })
      expect(await redis.exists(revokedKey(shop.suite.namespace, session.sessionId)), name).toBe(1)
    }
  })

  test('of a customer who has a hundred open ones ends the oldest, for every gateway', async () => {
    const { token, customer } = await shop.register('devices@mail.example')
    const outsider = await shop.register()
    clock.advance(1000)
    await shop.suite.sql(
      `insert into identity.sessions (id, kind, customer_id, created_at, expires_at)
       select 'sess_device_' || i, 'customer', $1, $2::timestamptz + i * interval '1 ms', $2::timestamptz + interval '30 days'
       from generate_series(1, 98) i`,
      [customer.id, clock.now()],
    )
    const first = String(claimsOf(token)['sid'])
    const logIn = async () => {
      clock.advance(1000)
      const response = await shop.call('POST', '/auth/login', { email: 'devices@mail.example', password: PASSWORD })
      expect(response.body).toEqual({ token: expect.any(String), customer: expect.anything() })
      return String(claimsOf(tokenOf(response))['sid'])
    }
    const isOver = async (id: string) => (await redis.exists(revokedKey(shop.suite.namespace, id))) === 1
    const open = async () => {
      const rows = await shop.suite.sql(
        'select 1 from identity.sessions where customer_id = $1 and revoked_at is null and expires_at > $2',
        [customer.id, clock.now()],
      )
      return rows.length
    }
    await logIn()
    expect([await open(), await isOver(first)]).toEqual([100, false])
    const last = await logIn()
    expect([await open(), await isOver(first), await isOver('sess_device_1')]).toEqual([100, true, false])
    await Promise.all(Array.from({ length: 5 }, logIn))
    const newest = await logIn()
    expect([await open(), await isOver('sess_device_1')]).toEqual([100, true])
    expect([await isOver(last), await isOver(newest)]).toEqual([false, false])
    expect(await isOver(String(claimsOf(outsider.token)['sid']))).toBe(false)
  })

  test('that was never opened is not active', async () => {
    expect(await isSessionActive(db, 'sess_unknown', clock.now())).toBe(false)
  })
})

describe('a token in a request to sign out', () => {
  /** A token that is signed with the key of the shop, unless the changes name another. */
  async function tokenFor(
    sessionId: string,
    changes: { claims?: JWTPayload; header?: Partial<JWTHeaderParameters>; signedBy?: KeyObject } = {},
  ): Promise<string> {
    const key = await findSigningKey(db, clock.now())
    if (!key) throw new Error('no key')
    const nowS = Math.floor(clock.now().getTime() / 1000)
    const standard = { iss: 'storefront', aud: 'storefront', sub: 'cus_1', sid: sessionId, iat: nowS, exp: nowS + 60 }
    return new SignJWT({ ...standard, ...changes.claims })
      .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, ...changes.header })
      .sign(changes.signedBy ?? decryptPrivateKey(undefined, key))
  }

  async function endsItsSession(changes: (nowS: number) => Parameters<typeof tokenFor>[1]): Promise<boolean> {
    const sessionId = String(claimsOf((await shop.register()).token)['sid'])
    const token = await tokenFor(sessionId, changes(Math.floor(clock.now().getTime() / 1000)))
    const response = await shop.call('POST', '/auth/logout', undefined, { authorization: `Bearer ${token}` })
    expect(response).toMatchObject({ status: 200, body: { ok: true } })
    return !(await isSessionActive(db, sessionId, clock.now()))
  }

  const outsider = generateKeyPairSync('ed25519').privateKey

  test('ends its session, also when clocks differ by up to a minute', async () => {
    expect(await endsItsSession(() => ({}))).toBe(true)
    expect(await endsItsSession((nowS) => ({ claims: { exp: nowS - 59 } }))).toBe(true)
    expect(await endsItsSession((nowS) => ({ claims: { iat: nowS + 60, nbf: nowS + 60 } }))).toBe(true)
  })

  test.each<[string, Parameters<typeof endsItsSession>[0]]>([
    ['has expired', (nowS) => ({ claims: { exp: nowS - 61 } })],
    ['is not valid yet', (nowS) => ({ claims: { nbf: nowS + 61 } })],
    ['is for admins', () => ({ claims: { aud: 'admin' } })],
    ['has another issuer', () => ({ claims: { iss: 'elsewhere' } })],
    ['is signed with another key', () => ({ signedBy: outsider })],
    [
      'contains its own key',
      () => ({ signedBy: outsider, header: { jwk: createPublicKey(outsider).export({ format: 'jwk' }) } }),
    ],
    ['names an unknown key', () => ({ header: { kid: 'unknown' } })],
  ])('ends nothing when it %s', async (_what, changes) => {
    expect(await endsItsSession(changes)).toBe(false)
  })

  test('ends nothing when it names one key of the shop and is signed with another one', async () => {
    const other = await transaction(db, (tx) => rotateSigningKey(tx, undefined, clock.now()))
    expect(await endsItsSession(() => ({ header: { kid: other.kid } }))).toBe(false)
  })
})
