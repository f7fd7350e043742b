import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { createDatabase, manualClock, transaction } from '@storefront/chassis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, IdentitySchema } from '../src/database.ts'
import { forgetExpiredSessions } from '../src/sessions/forget-expired-sessions.ts'
import { isSessionActive } from '../src/sessions/sessions.queries.ts'
import { rotateSigningKey } from '../src/tokens/rotate-signing-key.ts'
import { openPrivateKey } from '../src/tokens/signing-key.ts'
import { findSigningKey } from '../src/tokens/signing-keys.queries.ts'
import { ADMIN, claimsOf, createSetting, tokenOf, type Setting } from './setting.ts'

const HOUR_MS = 3600 * 1000

const clock = manualClock('2026-03-01T12:00:00.000Z')
let shop: Setting
let db: Database

beforeAll(async () => {
  shop = await createSetting({}, clock)
  const { log } = shop.suite
  db = createDatabase<IdentitySchema>({ url: shop.suite.databaseUrl('identity'), poolSize: 2, name: 'test', log })
})
afterAll(async () => {
  await db.destroy()
  await shop.stop()
})

describe('a session', () => {
  test('of an admin lasts 12 hours, of a customer 30 days, and is forgotten a day later', async () => {
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
      const timer = forgetExpiredSessions({ db, clock, log: shop.suite.log })
      timer.poke()
      await timer.stop()
      return shop.suite.sql('select id from identity.sessions')
    }
    expect(await kept()).toEqual([{ id: customer }])
    clock.advance(24 * HOUR_MS + 1)
    expect(await kept()).toEqual([])
  })

  test('that was never opened is not active', async () => {
    expect(await isSessionActive(db, 'sess_unknown', clock.now())).toBe(false)
  })
})

describe('a token that a session is to be ended with', () => {
  /** Signed with the shop's own key, unless told otherwise. */
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
      .sign(changes.signedBy ?? openPrivateKey(undefined, key))
  }

  async function endsIts(changes: (nowS: number) => Parameters<typeof tokenFor>[1]): Promise<boolean> {
    const sessionId = String(claimsOf((await shop.register()).token)['sid'])
    const token = await tokenFor(sessionId, changes(Math.floor(clock.now().getTime() / 1000)))
    const answer = await shop.call('POST', '/auth/logout', undefined, { authorization: `Bearer ${token}` })
    expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    return !(await isSessionActive(db, sessionId, clock.now()))
  }

  const stranger = generateKeyPairSync('ed25519').privateKey

  test('does so within the difference that clocks may have', async () => {
    expect(await endsIts(() => ({}))).toBe(true)
    expect(await endsIts((nowS) => ({ claims: { exp: nowS - 59 } }))).toBe(true)
    expect(await endsIts((nowS) => ({ claims: { iat: nowS + 60, nbf: nowS + 60 } }))).toBe(true)
  })

  test.each<[string, Parameters<typeof endsIts>[0]]>([
    ['has expired', (nowS) => ({ claims: { exp: nowS - 61 } })],
    ['is to count only later', (nowS) => ({ claims: { nbf: nowS + 61 } })],
    ['is for admins', () => ({ claims: { aud: 'admin' } })],
    ['comes from somebody else', () => ({ claims: { iss: 'elsewhere' } })],
    ['is signed with another key', () => ({ signedBy: stranger })],
    [
      'brings its key along',
      () => ({ signedBy: stranger, header: { jwk: createPublicKey(stranger).export({ format: 'jwk' }) } }),
    ],
    ['names a key that there is not', () => ({ header: { kid: 'unknown' } })],
  ])('ends nothing when it %s', async (_what, changes) => {
    expect(await endsIts(changes)).toBe(false)
  })

  test('ends nothing when it names one of our keys and is signed with another of them', async () => {
    const other = await transaction(db, (tx) => rotateSigningKey(tx, undefined, clock.now()))
    expect(await endsIts(() => ({ header: { kid: other.kid } }))).toBe(false)
  })
})
