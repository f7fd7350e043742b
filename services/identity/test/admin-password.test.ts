import { manualClock } from '@storefront/service/testing'
import { PERMISSIONS } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD, adminsOf, type Admins } from './admins.ts'
import { createSetting, errorOf, type Setting } from './setting.ts'

const NEXT = 'the password after it'

const clock = manualClock('2026-01-01T12:00:00.000Z')
let shop: Setting
let admins: Admins

beforeAll(async () => {
  shop = await createSetting({}, clock)
  admins = adminsOf(shop)
})
afterAll(() => shop.stop())

const change = (headers: object, body?: object) => shop.call('POST', '/admin/auth/password', body, headers)
const open = async (): Promise<string[]> =>
  (await shop.suite.sql<{ id: string }>('select id from identity.sessions where revoked_at is null')).map(
    ({ id }) => id,
  )

describe('an admin who changes their own password', () => {
  test('stays signed in here and nowhere else', async () => {
    const { email } = await admins.add({ role: 'support' })
    const [here, there] = [await admins.signIn(email), await admins.signIn(email)]
    const bystander = await admins.owner()
    const response = await change(here.headers, { currentPassword: ADMIN_PASSWORD, newPassword: NEXT })
    expect(response).toMatchObject({ status: 200, body: { ok: true } })
    expect(await open()).toEqual(expect.arrayContaining([here.sessionId, bystander.sessionId]))
    expect(await open()).not.toContain(there.sessionId)
    expect(errorOf(await admins.logIn(email))).toMatchObject({ code: 'invalid_credentials' })
    await admins.signIn(email, { password: NEXT })
  })

  test('must send the current one, and a long new one', async () => {
    const { headers } = await admins.signIn((await admins.add()).email)
    const wrong = { currentPassword: 'not the password', newPassword: NEXT }
    expect(errorOf(await change(headers, wrong))).toEqual({ status: 401, code: 'invalid_credentials' })
    const weak = { currentPassword: ADMIN_PASSWORD, newPassword: 'eleven char' }
    expect(errorOf(await change(headers, weak))).toEqual({ status: 422, code: 'weak_password' })
    const incomplete = [
      undefined,
      {},
      { newPassword: NEXT },
      { currentPassword: ADMIN_PASSWORD },
      { ...wrong, newPassword: '' },
    ]
    for (const body of incomplete) {
      expect(errorOf(await change(headers, body))).toEqual({ status: 422, code: 'missing_credentials' })
    }
  })

  test('is neither a key nor a customer nor a removed user', async () => {
    const body = { currentPassword: ADMIN_PASSWORD, newPassword: NEXT }
    const { customer } = await shop.register()
    expect(errorOf(await change(admins.key(), body))).toEqual({ status: 403, code: 'forbidden' })
    expect(errorOf(await change(shop.as(customer.id), body))).toEqual({ status: 403, code: 'forbidden' })
    expect(errorOf(await change({}, body))).toEqual({ status: 401, code: 'unauthenticated' })
    const gone = shop.asAdmin('user_gone', [...PERMISSIONS], 'sess_gone')
    expect(errorOf(await change(gone, body))).toEqual({ status: 401, code: 'unauthenticated' })
  })

  test('succeeds once in two concurrent requests', async () => {
    const { email } = await admins.add()
    const { headers } = await admins.signIn(email)
    const bodies = ['one of the passwords', 'another of them'].map((newPassword) => ({
      currentPassword: ADMIN_PASSWORD,
      newPassword,
    }))
    const responses = await Promise.all(bodies.map((body) => change(headers, body)))
    expect(responses.map((response) => response.status).toSorted((one, other) => one - other)).toEqual([200, 401])
    const winner = bodies[responses.findIndex((response) => response.status === 200)]
    await admins.signIn(email, { password: winner?.newPassword ?? '' })
  })

  test('has wrong passwords counted with the sign-ins: after twenty none is checked for a quarter of an hour', async () => {
    const { email } = await admins.add()
    const { headers } = await admins.signIn(email)
    for (let tries = 0; tries < 10; tries++) {
      expect((await change(headers, { currentPassword: 'wrong', newPassword: NEXT })).status).toBe(401)
      expect((await admins.logIn(email, { password: 'wrong' })).status).toBe(401)
    }
    const right = { currentPassword: ADMIN_PASSWORD, newPassword: NEXT }
    const rejected = await change(headers, right)
    expect(errorOf(rejected)).toEqual({ status: 429, code: 'rate_limited' })
    expect(rejected.headers['retry-after']).toBe('900')
    clock.advance(15 * 60_000)
    expect((await change(headers, right)).status).toBe(200)
  })
})
