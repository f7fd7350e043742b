import { createDatabase, manualClock } from '@storefront/chassis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, IdentitySchema } from '../src/database.ts'
import { forgetExpiredSessions } from '../src/sessions/forget-expired-sessions.ts'
import { isSessionActive } from '../src/sessions/sessions.queries.ts'
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
