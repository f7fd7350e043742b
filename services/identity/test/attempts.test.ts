import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passwordAttempts } from '../src/attempts/attempt.ts'
import { checkUnderLimit } from '../src/attempts/check-under-limit.ts'
import { RETENTION } from '../src/retention.ts'
import type { Database } from '../src/database.ts'
import { startIdentity, type RunningIdentity } from '../src/start.ts'
import { ADMIN_PASSWORD, adminsOf } from './admins.ts'
import {
  configFor,
  createSetting,
  PASSWORD,
  errorOf,
  openDatabase,
  type TestResponse,
  type Setting,
} from './setting.ts'

const MINUTE_MS = 60_000

const clock = manualClock('2026-01-01T12:00:00.000Z')
let shop: Setting
let other: RunningIdentity
let db: Database

beforeAll(async () => {
  shop = await createSetting({}, clock)
  other = await startIdentity(configFor(shop.suite), shop.suite.log, clock)
  db = openDatabase(shop.suite, 4)
})
afterAll(async () => {
  await db.destroy()
  await other.stop()
  await shop.stop()
})

const WRONG = 'not the password'
const RATE_LIMITED = { status: 429, code: 'rate_limited' }

interface SignIn {
  path: string
  password: string
  add: (email: string) => Promise<unknown>
}
const SIGN_INS: [string, SignIn][] = [
  ['customer', { path: '/auth/login', password: PASSWORD, add: (email) => shop.register(email) }],
  ['admin', { path: '/admin/auth/login', password: ADMIN_PASSWORD, add: (email) => adminsOf(shop).add({ email }) }],
]

describe.each(SIGN_INS)('the password of the %s', (kind, { path, password, add }) => {
  const logIn = (email: string, given = WRONG): Promise<TestResponse> =>
    shop.call('POST', path, { email, password: given })
  const fail = async (email: string, times: number): Promise<void> => {
    for (let tries = 0; tries < times; tries++) expect((await logIn(email)).status).toBe(401)
  }

  test('is not checked after twenty wrong ones, whether it is correct or not, and whether the account exists or not', async () => {
    const known = `known-${kind}@mail.example`
    await add(known)
    const responses: TestResponse[] = []
    for (const email of [known, `unknown-${kind}@mail.example`]) {
      await fail(email, 20)
      clock.advance(1000)
      for (const given of [WRONG, password]) responses.push(await logIn(email.toUpperCase(), given))
      clock.advance(-1000)
    }
    for (const response of responses) {
      expect(errorOf(response)).toEqual(RATE_LIMITED)
      expect(response.headers['retry-after']).toBe('899')
      expect({ ...Object(response.body), requestId: '' }).toEqual({ ...Object(responses[0]?.body), requestId: '' })
    }
    expect((await logIn(`neighbour-${kind}@mail.example`)).status).toBe(401)
    clock.advance(15 * MINUTE_MS - 1)
    expect(errorOf(await logIn(known, password))).toEqual(RATE_LIMITED)
    clock.advance(1)
    expect((await logIn(known, password)).status).toBe(200)
  })

  test('may be guessed twenty times in any quarter of an hour, and rejected attempts do not lengthen the wait', async () => {
    const email = `sliding-${kind}@mail.example`
    await fail(email, 10)
    clock.advance(10 * MINUTE_MS)
    await fail(email, 10)
    expect((await logIn(email)).status).toBe(429)
    clock.advance(5 * MINUTE_MS)
    await fail(email, 10)
    const rejected = await logIn(email)
    expect(errorOf(rejected)).toEqual(RATE_LIMITED)
    expect(rejected.headers['retry-after']).toBe('600')
    clock.advance(10 * MINUTE_MS)
    await fail(email, 1)
  })

  test('clears the count when it is correct', async () => {
    const email = `clears-${kind}@mail.example`
    await add(email)
    for (let round = 0; round < 3; round++) {
      await fail(email, 15)
      expect((await logIn(email, password)).status).toBe(200)
    }
  })

  test('is checked twenty times in sixty concurrent attempts, over two replicas', async () => {
    const email = `crowd-${kind}@mail.example`
    await add(email)
    const apps = [shop.identity.app, other.app]
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const payload = { email, password: WRONG }
        return (await apps[index % 2]?.inject({ method: 'POST', url: path, payload }))?.statusCode
      }),
    )
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  })
})

test('a customer and an admin of one address do not lock each other out', async () => {
  const email = 'both@mail.example'
  await shop.register(email)
  await adminsOf(shop).add({ email })
  for (let tries = 0; tries < 21; tries++) await shop.call('POST', '/auth/login', { email, password: WRONG })
  expect((await shop.call('POST', '/auth/login', { email, password: PASSWORD })).status).toBe(429)
  expect((await shop.call('POST', '/admin/auth/login', { email, password: ADMIN_PASSWORD })).status).toBe(200)
})

test('an attempt that could not be checked does not count', async () => {
  const attempt = { kind: 'customer_password', of: 'busy@mail.example' } as const
  const check = (outcome: () => Promise<boolean>) =>
    checkUnderLimit({ db, passwordAttempts: 20, clock }, attempt, outcome)
  const busy = () => check(() => Promise.reject(new Error('too busy')))
  for (let tries = 0; tries < 19; tries++) expect(await check(() => Promise.resolve(false))).toBe(false)
  for (let tries = 0; tries < 30; tries++) await expect(busy()).rejects.toThrow('too busy')
  expect(await check(() => Promise.resolve(false))).toBe(false)
  await expect(busy()).rejects.toMatchObject({ code: 'rate_limited' })
})

test('attempts are stored as digests, and no longer than they count', async () => {
  await shop.suite.sql('delete from identity.attempts')
  await shop.call('POST', '/auth/login', { email: 'kept@mail.example', password: WRONG })
  clock.advance(10 * MINUTE_MS)
  await shop.call('POST', '/auth/login', { email: 'fresh@mail.example', password: WRONG })
  const remove = async (): Promise<unknown[]> => {
    await followRule(RETENTION['old attempts'], { db, clock })
    return shop.suite.sql('select * from identity.attempts')
  }
  const kept = await remove()
  expect(kept).toHaveLength(2)
  expect(JSON.stringify(kept)).not.toContain('mail.example')
  clock.advance(5 * MINUTE_MS + 1)
  expect(await remove()).toHaveLength(1)
  clock.advance(10 * MINUTE_MS)
  expect(await remove()).toEqual([])
})

test('as many wrong passwords are checked as two addresses may try per minute, or any number without that limit', () => {
  expect([1, 10, 500].map(passwordAttempts)).toEqual([10, 20, 1000])
  expect([0, 501, 1_000_000].map(passwordAttempts)).toEqual([undefined, undefined, undefined])
})

test('without a limit on sign-ins no wrong password is counted', async () => {
  const open = await createSetting({ RATE_LIMIT_AUTH: '0' })
  const { email } = (await open.register()).customer
  for (let tries = 0; tries < 25; tries++) {
    expect((await open.call('POST', '/auth/login', { email, password: WRONG })).status).toBe(401)
  }
  expect((await open.call('POST', '/auth/login', { email, password: PASSWORD })).status).toBe(200)
  expect(await open.suite.sql('select 1 from identity.attempts')).toEqual([])
  await open.stop()
})
