import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSetting, PASSWORD, errorOf, type Setting } from './setting.ts'

let shop: Setting

beforeAll(async () => {
  shop = await createSetting({ PASSWORD_HASH_COST: 'standard' })
})
afterAll(() => shop.stop())

const registration = (changes: object = {}) => ({
  email: 'someone@mail.example',
  password: PASSWORD,
  firstName: 'Ada',
  lastName: 'Lovelace',
  ...changes,
})

describe('registering', () => {
  test('returns a token of the new customer that verifies against the published keys', async () => {
    const response = await shop.call('POST', '/auth/register', registration({ email: '  Ada.Lovelace@Mail.Example ' }))
    expect(response.status).toBe(200)
    expect(response.headers['cache-control']).toBe('private, no-store')
    expect(response.body).toEqual({
      token: expect.any(String),
      customer: {
        id: expect.stringMatching(/^cus_[0-9a-f]{32}$/),
        email: 'Ada.Lovelace@Mail.Example',
        firstName: 'Ada',
        lastName: 'Lovelace',
        emailVerified: false,
        addresses: [],
      },
    })
    const { token, customer } = await shop.register()
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', shop.identity.url))
    const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer: 'storefront', audience: 'storefront' })
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: expect.any(String) })
    expect(payload.sub).toBe(customer.id)
    expect(payload['sid']).toMatch(/^sess_[0-9a-f]{36}$/)
    expect(Number(payload.exp) - Number(payload.iat)).toBe(30 * 24 * 3600)
    const me = await shop.call('GET', '/me', undefined, shop.as(customer.id))
    expect(me).toMatchObject({ status: 200, body: customer })
  })

  test('requires only an email address and a password', async () => {
    const response = await shop.call('POST', '/auth/register', { email: 'bare@mail.example', password: PASSWORD })
    expect(response).toMatchObject({ status: 200, body: { customer: { firstName: '', lastName: '' } } })
  })

  test('is rejected with the allowed length of a password', async () => {
    const messageFor = async (password: string) => {
      const response = await shop.call('POST', '/auth/register', registration({ password }))
      expect(errorOf(response)).toEqual({ status: 422, code: 'weak_password' })
      return response.body
    }
    expect(await messageFor('sixsix')).toMatchObject({ message: 'Choose a password with at least 8 characters.' })
    expect(await messageFor('x'.repeat(201))).toMatchObject({
      message: 'Choose a password with at most 200 characters.',
    })
  })

  test('is rejected for an email address that has an account, in any spelling', async () => {
    await shop.register('taken@mail.example')
    const again = await shop.call('POST', '/auth/register', registration({ email: ' TAKEN@mail.EXAMPLE' }))
    expect(errorOf(again)).toEqual({ status: 409, code: 'email_taken' })
  })

  test('succeeds once in eight concurrent requests with one address', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        shop.call(
          'POST',
          '/auth/register',
          registration({ email: index % 2 ? 'race@mail.example' : 'RACE@mail.example' }),
        ),
      ),
    )
    expect(responses.map((response) => response.status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ])
    const rows = await shop.suite.sql(`select 1 from identity.customers where lower(email) = 'race@mail.example'`)
    expect(rows).toHaveLength(1)
  })

  test.each([
    ['no body', undefined, 'missing_credentials'],
    ['no email address', registration({ email: undefined }), 'missing_credentials'],
    ['a blank email address', registration({ email: '  ' }), 'missing_credentials'],
    ['an empty password', registration({ password: '' }), 'missing_credentials'],
    ['no password', registration({ password: null }), 'missing_credentials'],
    ['an invalid email address', registration({ email: 'ada at mail' }), 'invalid_email'],
    ['an endless email address', registration({ email: `a@${'b'.repeat(10_000)}.example` }), 'invalid_email'],
    ['a short password', registration({ password: '1234567' }), 'weak_password'],
    ['seven characters that are fourteen code units', registration({ password: '🧥'.repeat(7) }), 'weak_password'],
    ['a password of 201 characters', registration({ password: 'x'.repeat(201) }), 'weak_password'],
  ])('is rejected with %s', async (_what, body, code) => {
    expect(errorOf(await shop.call('POST', '/auth/register', body))).toEqual({ status: 422, code })
  })

  test('accepts a password of 8 and of 200 characters', async () => {
    for (const length of [8, 200]) {
      const body = registration({ email: `length${length}@mail.example`, password: '🧥'.repeat(length) })
      expect((await shop.call('POST', '/auth/register', body)).status).toBe(200)
    }
  })

  test('stores no password, only its argon2id hash', async () => {
    await shop.register('hashed@mail.example')
    const [row] = await shop.suite.sql<{ text: string }>(
      `select c::text as text from identity.customers c where email = 'hashed@mail.example'`,
    )
    expect(row?.text).not.toContain(PASSWORD)
    expect(row?.text).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  })
})
