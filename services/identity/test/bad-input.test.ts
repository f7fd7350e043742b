import { ErrorBody } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSetting, PASSWORD, type Setting } from './setting.ts'

let shop: Setting
let customerId: string

beforeAll(async () => {
  shop = await createSetting()
  customerId = (await shop.register()).customer.id
})
afterAll(() => shop.stop())

const address = { name: 'A', line1: 'B', line2: '', city: 'C', region: '', postalCode: '1', country: 'US', phone: '' }
const OPERATIONS = [
  ['POST', '/auth/register', { email: 'bad@mail.example', password: PASSWORD, firstName: 'A', lastName: 'B' }],
  ['POST', '/auth/login', { email: 'bad@mail.example', password: PASSWORD }],
  ['POST', '/admin/auth/login', { email: 'bad@mail.example', password: PASSWORD }],
  ['PATCH', '/me', { firstName: 'A', lastName: 'B', phone: '1', marketingOptIn: true }],
  ['POST', '/me/addresses', { ...address, isDefault: true }],
  ['PATCH', '/me/addresses/addr_1', { ...address, isDefault: true }],
  ['POST', '/newsletter', { email: 'bad@mail.example' }],
  ['POST', '/newsletter/confirm', { token: 'bad' }],
  ['POST', '/newsletter/unsubscribe', { token: 'bad' }],
  ['POST', '/auth/email/verify', { token: 'bad' }],
  ['POST', '/auth/email/change', { email: 'bad@mail.example', password: 'not the password' }],
  ['POST', '/auth/password/forgot', { email: 'bad@mail.example' }],
  ['POST', '/auth/password/reset', { token: 'bad', password: PASSWORD }],
  ['POST', '/auth/password/change', { currentPassword: 'not the password', newPassword: PASSWORD }],
] as const

const BAD_VALUES = [
  ['a number', 1],
  ['an array', ['a']],
  ['an object', { toString: 'a' }],
  ['text with NUL', 'a\0b'],
  ['half a surrogate pair', '\ud800'],
  ['10,000 characters', 'x'.repeat(10_000)],
] as const

describe.each(OPERATIONS)('%s %s', (method, path, body) => {
  const expectError = async (payload: string) => {
    const headers = { 'content-type': 'application/json', ...shop.as(customerId) }
    const response = await shop.identity.app.inject({ method, url: path, payload, headers })
    const rejected = ErrorBody.parse(response.json())
    expect(response.statusCode, response.body).toBeGreaterThanOrEqual(400)
    expect(response.statusCode, response.body).toBeLessThan(500)
    expect(response.body).not.toMatch(/node_modules|\.ts\b|\\n +at /)
    return rejected
  }

  test.each(BAD_VALUES)('rejects %s in every field', async (_what, value) => {
    for (const field of Object.keys(body)) await expectError(JSON.stringify({ ...body, [field]: value }))
  })

  test('rejects a body that is not an object or not JSON', async () => {
    for (const payload of ['[]', '"text"', '1', 'true', '[{"email":1}]']) await expectError(payload)
    for (const payload of ['{', '{"email":', 'email=a', '\0'])
      expect((await expectError(payload)).code).toBe('bad_json')
    expect((await expectError(`{"email":"${'x'.repeat(1024 * 1024)}"}`)).code).toBe('payload_too_large')
  })
})

describe('an impossible id of an address', () => {
  test.each(['%00', 'x'.repeat(900), '..%2f..', "'; drop table customers; --"])('is rejected: %s', async (id) => {
    for (const method of ['PATCH', 'DELETE'] as const) {
      const url = `/me/addresses/${id}`
      const payload = method === 'PATCH' ? { payload: {} } : {}
      const response = await shop.identity.app.inject({ method, url, headers: shop.as(customerId), ...payload })
      expect(response.statusCode, response.body).toBeGreaterThanOrEqual(400)
      expect(response.statusCode, response.body).toBeLessThan(500)
      ErrorBody.parse(response.json())
    }
  })
})
