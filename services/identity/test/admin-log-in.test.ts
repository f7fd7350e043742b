import { createRemoteJWKSet, jwtVerify } from 'jose'
import { PERMISSIONS } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ADMIN, createSetting, PASSWORD, refusal, type Setting } from './setting.ts'

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

const Admission = z.object({ token: z.string(), expiresAt: z.string(), user: z.object({ id: z.string() }) })

describe('signing in as an admin', () => {
  test('answers a token for the admin audience with the permissions of the role, good for 12 hours', async () => {
    const body = { email: ADMIN.email.toUpperCase(), password: ADMIN.password }
    const answer = await shop.call('POST', '/admin/auth/login', body)
    expect(answer.body).toMatchObject({
      user: { email: ADMIN.email, name: 'Owner', role: 'owner', permissions: [...PERMISSIONS] },
    })
    const { token, expiresAt, user } = Admission.parse(answer.body)
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', shop.identity.url))
    const { payload } = await jwtVerify(token, keys, { issuer: 'storefront', audience: 'admin' })
    expect(payload).toMatchObject({ sub: user.id, sid: expect.stringMatching(/^sess_/), perms: [...PERMISSIONS] })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(12 * 3600)
    expect(Math.abs(Date.parse(expiresAt) - Number(payload.exp) * 1000)).toBeLessThan(1000)
    await expect(jwtVerify(token, keys, { issuer: 'storefront', audience: 'storefront' })).rejects.toThrow('aud')
  })

  test('fails identically for an unknown address, a wrong password and a customer', async () => {
    const customer = await shop.register('just.a.customer@mail.example')
    const answers = await Promise.all([
      shop.call('POST', '/admin/auth/login', { email: ADMIN.email, password: 'wrong' }),
      shop.call('POST', '/admin/auth/login', { email: 'nobody@shop.example', password: ADMIN.password }),
      shop.call('POST', '/admin/auth/login', { email: customer.customer.email, password: PASSWORD }),
    ])
    for (const answer of answers) {
      expect(refusal(answer)).toEqual({ status: 401, code: 'invalid_credentials' })
      expect(answer.body).toMatchObject({ message: 'E-mail address or password are not right. Please try again.' })
    }
  })

  test('without e-mail address or password is missing_credentials', async () => {
    for (const body of [undefined, {}, { email: ADMIN.email }, { password: 'x' }, { email: '', password: '' }]) {
      const answer = await shop.call('POST', '/admin/auth/login', body)
      expect(refusal(answer)).toEqual({ status: 422, code: 'missing_credentials' })
    }
  })
})
