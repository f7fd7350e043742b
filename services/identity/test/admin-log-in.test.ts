import { createRemoteJWKSet, jwtVerify } from 'jose'
import { PERMISSIONS } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ADMIN, createSetting, PASSWORD, errorOf, type Setting } from './setting.ts'

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

const SignedIn = z.object({ token: z.string(), expiresAt: z.string(), user: z.object({ id: z.string() }) })

describe('signing in as an admin', () => {
  test('returns a token for the admin audience with the permissions of the role, valid for 12 hours', async () => {
    const body = { email: ADMIN.email.toUpperCase(), password: ADMIN.password }
    const response = await shop.call('POST', '/admin/auth/login', body)
    expect(response.body).toMatchObject({
      user: { email: ADMIN.email, name: 'Owner', role: 'owner', permissions: [...PERMISSIONS] },
    })
    const { token, expiresAt, user } = SignedIn.parse(response.body)
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', shop.identity.url))
    const { payload } = await jwtVerify(token, keys, { issuer: 'storefront', audience: 'admin' })
    expect(payload).toMatchObject({ sub: user.id, sid: expect.stringMatching(/^sess_/), perms: [...PERMISSIONS] })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(12 * 3600)
    expect(Math.abs(Date.parse(expiresAt) - Number(payload.exp) * 1000)).toBeLessThan(1000)
    await expect(jwtVerify(token, keys, { issuer: 'storefront', audience: 'storefront' })).rejects.toThrow('aud')
  })

  test('fails identically for an unknown address, a wrong password and a customer', async () => {
    const customer = await shop.register('just.a.customer@mail.example')
    const responses = await Promise.all([
      shop.call('POST', '/admin/auth/login', { email: ADMIN.email, password: 'wrong' }),
      shop.call('POST', '/admin/auth/login', { email: 'nobody@shop.example', password: ADMIN.password }),
      shop.call('POST', '/admin/auth/login', { email: customer.customer.email, password: PASSWORD }),
    ])
    for (const response of responses) {
      expect(errorOf(response)).toEqual({ status: 401, code: 'invalid_credentials' })
      expect(response.body).toMatchObject({ message: 'Incorrect email or password.' })
    }
  })

  test('works with the email address as `username`, with the same attempts and errors', async () => {
    const logIn = (body: object) => shop.call('POST', '/admin/auth/login', body)
    const { password } = ADMIN
    for (const body of [
      { username: ` ${ADMIN.email} `, password },
      { username: ADMIN.email.toUpperCase(), email: ADMIN.email, password },
      { username: ADMIN.email, email: '', password },
      { username: null, email: ADMIN.email, password },
    ]) {
      expect((await logIn(body)).status, JSON.stringify(body)).toBe(200)
    }
    const different = await logIn({ email: ADMIN.email, username: 'other@shop.example', password })
    expect(different.body).toMatchObject({
      code: 'validation_failed',
      message: 'Send either `email` or `username`: both were sent, and they differ.',
      detail: { issues: [{ path: 'username' }] },
    })
    expect(errorOf(await logIn({ username: ADMIN.email }))).toEqual({ status: 422, code: 'missing_credentials' })
    const wrong = await Promise.all([
      logIn({ username: ADMIN.email, password: 'wrong' }),
      logIn({ username: 'nobody@shop.example', password }),
    ])
    for (const response of wrong) expect(errorOf(response)).toEqual({ status: 401, code: 'invalid_credentials' })
    for (let tries = 0; tries < 20; tries++) {
      await logIn({ [tries % 2 === 0 ? 'username' : 'email']: 'guessed@shop.example', password: 'wrong' })
    }
    const blocked = await logIn({ username: 'Guessed@shop.example', password: 'wrong' })
    expect(errorOf(blocked)).toEqual({ status: 429, code: 'rate_limited' })
    expect(blocked.body).toMatchObject({
      message: expect.stringMatching(/^Too many attempts\. Try again in \d+ (seconds|minutes)\.$/),
    })
  })

  test('without email address or password is missing_credentials', async () => {
    for (const body of [undefined, {}, { email: ADMIN.email }, { password: 'x' }, { email: '', password: '' }]) {
      const response = await shop.call('POST', '/admin/auth/login', body)
      expect(errorOf(response)).toEqual({ status: 422, code: 'missing_credentials' })
    }
  })
})
