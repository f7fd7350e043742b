import { createRemoteJWKSet, jwtVerify } from 'jose'
import { CONSOLE_COOKIE, PERMISSIONS } from '@storefront/contracts'
import { parseCookie } from 'cookie'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { adminsOf, type Admins } from './admins.ts'
import { ADMIN, claimsOf, createSetting, errorOf, type Setting, type TestResponse } from './setting.ts'

let shop: Setting
let admins: Admins

beforeAll(async () => {
  shop = await createSetting()
  admins = adminsOf(shop)
})
afterAll(() => shop.stop())

const Session = z.strictObject({
  user: z.looseObject({ id: z.string(), email: z.string() }),
  idleUntil: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
const Claims = z.looseObject({ aud: z.string(), sub: z.string(), sid: z.string(), iat: z.int(), exp: z.int() })

const signIn = (headers: object = {}) => shop.call('POST', '/admin/console/session', ADMIN, headers)

function cookieOf(response: TestResponse): string {
  return String(response.headers['set-cookie'])
}

function tokenIn(response: TestResponse, name: string = CONSOLE_COOKIE.http): string {
  return parseCookie(cookieOf(response))[name] ?? ''
}

/** Headers of a console that is signed in, as the gateway would send them. */
async function openSession() {
  const token = tokenIn(await signIn())
  const { sub, sid } = Claims.parse(claimsOf(token))
  return { sid, token, headers: shop.asAdmin(sub, [...PERMISSIONS], sid) }
}

async function isActive(sid: string): Promise<boolean> {
  const rows = await shop.suite.sql<{ open: boolean }>(
    'select revoked_at is null as open from identity.sessions where id = $1',
    [sid],
  )
  return rows[0]?.open === true
}

describe('signing in to the console', () => {
  test('puts the token into a cookie that no script reads, and nowhere else', async () => {
    const response = await signIn()
    expect(response.status).toBe(200)
    const header = cookieOf(response)
    expect(header).toMatch(/; Max-Age=1800; Path=\/admin; HttpOnly; SameSite=Strict$/)
    expect(JSON.stringify(Session.parse(response.body))).not.toContain(tokenIn(response))
  })

  test('signs a token for the audience of the console that ends when it is idle', async () => {
    const response = await signIn()
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', shop.identity.url))
    const { payload } = await jwtVerify(tokenIn(response), keys, { issuer: 'storefront', audience: 'console' })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(30 * 60)
    expect(payload['perms']).toEqual([...PERMISSIONS])
    const { idleUntil, expiresAt } = Session.parse(response.body)
    expect(Math.round((Date.parse(expiresAt) - Date.parse(idleUntil)) / 60_000)).toBe(12 * 60 - 30)
  })

  test('sets a cookie for https only when the request came over https', async () => {
    const header = cookieOf(await signIn({ 'x-forwarded-proto': 'https' }))
    expect(header).toMatch(/^__Secure-console_session=/)
    expect(header).toContain('; Secure')
  })

  test('fails like any sign-in, and sets no cookie', async () => {
    const response = await shop.call('POST', '/admin/console/session', { email: ADMIN.email, password: 'wrong' })
    expect(errorOf(response)).toEqual({ status: 401, code: 'invalid_credentials' })
    expect(response.headers['set-cookie']).toBeUndefined()
    const none = await shop.call('POST', '/admin/console/session', {})
    expect(errorOf(none)).toEqual({ status: 422, code: 'missing_credentials' })
  })
})

describe('a session of the console', () => {
  test('is renewed with a new cookie, which ends no later than the session', async () => {
    const { sid, headers } = await openSession()
    await shop.suite.sql(`update identity.sessions set expires_at = now() + interval '10 minutes' where id = $1`, [sid])
    const response = await shop.call('POST', '/admin/console/session/renew', undefined, headers)
    expect(response.status).toBe(200)
    const { sid: same, iat, exp } = Claims.parse(claimsOf(tokenIn(response)))
    expect(same).toBe(sid)
    expect(exp - iat).toBeGreaterThan(590)
    expect(exp - iat).toBeLessThanOrEqual(600)
    const { idleUntil, expiresAt } = Session.parse(response.body)
    expect(idleUntil).toBe(expiresAt)
  })

  test('is not renewed once it has ended', async () => {
    const { headers } = await openSession()
    expect((await shop.call('DELETE', '/admin/console/session', undefined, headers)).status).toBe(200)
    const response = await shop.call('POST', '/admin/console/session/renew', undefined, headers)
    expect(errorOf(response)).toEqual({ status: 401, code: 'unauthenticated' })
    expect(response.headers['set-cookie']).toBeUndefined()
  })

  test('ends with a sign-out, which deletes the cookie and leaves other sessions open', async () => {
    const [ended, other] = [await openSession(), await openSession()]
    const response = await shop.call('DELETE', '/admin/console/session', undefined, ended.headers)
    expect(cookieOf(response)).toMatch(/^console_session=; Max-Age=0; Path=\/admin; HttpOnly; SameSite=Strict$/)
    expect([await isActive(ended.sid), await isActive(other.sid)]).toEqual([false, true])
  })

  test('ends on all devices when a person signs out everywhere, with the tokens of programs that signed in', async () => {
    const person = await admins.add()
    const bearer = await admins.signIn(person.email)
    const { headers } = bearer
    const response = await shop.call('DELETE', '/admin/console/session?everywhere=true', undefined, headers)
    expect(response.status).toBe(200)
    expect(await isActive(bearer.sessionId)).toBe(false)
    const other = await openSession()
    expect(await isActive(other.sid)).toBe(true)
  })

  test('ends everywhere only for a session that is still open', async () => {
    const [first, second] = [await openSession(), await openSession()]
    await shop.call('DELETE', '/admin/console/session', undefined, first.headers)
    await shop.call('DELETE', '/admin/console/session?everywhere=true', undefined, first.headers)
    expect(await isActive(second.sid)).toBe(true)
  })

  test('ends with its token alone, when the gateway could not identify the caller', async () => {
    const [ended, other] = [await openSession(), await openSession()]
    const bearer = { authorization: `Bearer ${ended.token}` }
    const response = await shop.call('DELETE', '/admin/console/session', undefined, bearer)
    expect(response.body).toEqual({ ok: true })
    expect(cookieOf(response)).toContain('Max-Age=0')
    expect([await isActive(ended.sid), await isActive(other.sid)]).toEqual([false, true])
    // An ended session can end no others.
    await shop.call('DELETE', '/admin/console/session?everywhere=true', undefined, bearer)
    expect(await isActive(other.sid)).toBe(true)
  })

  test('ends everywhere with its token alone, and no session of another user', async () => {
    const person = await admins.add()
    const outsider = await admins.signIn(person.email)
    const [one, other] = [await openSession(), await openSession()]
    const bearer = { authorization: `Bearer ${one.token}` }
    await shop.call('DELETE', '/admin/console/session?everywhere=true', undefined, bearer)
    expect([await isActive(one.sid), await isActive(other.sid)]).toEqual([false, false])
    expect(await isActive(outsider.sessionId)).toBe(true)
    const [entry] = await shop.suite.sql<{ action: string; fields: string[] }>(
      'select action, fields from identity.admin_audit order by id desc limit 1',
    )
    expect(entry).toEqual({ action: 'sign_out', fields: ['everywhere'] })
  })

  test('does not end for a token that is not signed, or is for another audience', async () => {
    const { sid, token } = await openSession()
    const [head = '', claims = ''] = token.split('.')
    const customer = await shop.register()
    const customersSession = String(claimsOf(customer.token)['sid'])
    for (const sent of [`${head}.${claims}.`, `${head}.${claims}`, 'a.b.c', customer.token]) {
      const response = await shop.call('DELETE', '/admin/console/session?everywhere=true', undefined, {
        authorization: `Bearer ${sent}`,
      })
      expect(response.body).toEqual({ ok: true })
    }
    expect([await isActive(sid), await isActive(customersSession)]).toEqual([true, true])
  })

  test('need not exist to sign out', async () => {
    const response = await shop.call('DELETE', '/admin/console/session')
    expect(response.body).toEqual({ ok: true })
    expect(cookieOf(response)).toContain('Max-Age=0')
  })
})
