import { transaction } from '@storefront/postgres'
import { waitForLock } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updatePassword } from '../src/accounts/accounts.queries.ts'
import {
  claimsOf,
  createSetting,
  PASSWORD,
  errorOf,
  openDatabase,
  tokenOf,
  type TestResponse,
  type Setting,
} from './setting.ts'

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

const logIn = (email: string, password = PASSWORD): Promise<TestResponse> =>
  shop.call('POST', '/auth/login', { email, password })

describe('signing in', () => {
  test('returns the customer with addresses and a token of a new session, in whatever spelling of the address', async () => {
    const { token, customer } = await shop.register('ada@mail.example')
    await shop.call('POST', '/me/addresses', { line1: '1 Main Street' }, shop.as(customer.id))
    const response = await logIn('  ADA@Mail.example')
    expect(response).toMatchObject({
      status: 200,
      body: { customer: { ...customer, addresses: [{ line1: '1 Main Street', isDefault: true }] } },
    })
    const next = tokenOf(response)
    expect(claimsOf(next)['sub']).toBe(customer.id)
    expect(claimsOf(next)['sid']).not.toBe(claimsOf(token)['sid'])
  })

  test('accepts a password whose accents are encoded in another Unicode form', async () => {
    const account = { email: 'accents@mail.example', password: 'crème brûlée'.normalize('NFC') }
    await shop.call('POST', '/auth/register', account)
    expect((await logIn(account.email, account.password.normalize('NFD'))).status).toBe(200)
  })

  test('fails with the same body for a wrong password, an unknown address and invalid input', async () => {
    await shop.register('known@mail.example')
    const responses = await Promise.all([
      logIn('known@mail.example', 'not the password'),
      logIn('unknown@mail.example'),
      logIn('no address'),
      logIn('known@mail.example', 'x'.repeat(10_000)),
    ])
    for (const response of responses) {
      expect(response.status).toBe(401)
      expect(response.body).toEqual({
        code: 'invalid_credentials',
        message: 'Incorrect email or password.',
        requestId: expect.any(String),
      })
    }
  })

  test('is not possible with a password that is being replaced at that moment', async () => {
    const { customer } = await shop.register('replaced@mail.example')
    const db = openDatabase(shop.suite)
    const late = await transaction(db, async (tx) => {
      await updatePassword(tx, customer.id, 'another hash')
      const response = logIn('replaced@mail.example')
      await waitForLock(shop.suite)
      // In an object, because returning the promise would await it, and the response waits for the transaction.
      return { response }
    })
    expect(errorOf(await late.response)).toEqual({ status: 401, code: 'invalid_credentials' })
    const sessions = await shop.suite.sql('select 1 from identity.sessions where customer_id = $1', [customer.id])
    expect(sessions).toHaveLength(1)
    await db.destroy()
  })

  test('without email address or password is missing_credentials', async () => {
    for (const body of [undefined, {}, { email: 'a@b.example' }, { password: 'x' }, { email: ' ', password: 'x' }]) {
      const response = await shop.call('POST', '/auth/login', body)
      expect(errorOf(response)).toEqual({ status: 422, code: 'missing_credentials' })
    }
  })

  test('in too many concurrent requests succeeds for some, gets Retry-After for the others, and does not slow down the shop', async () => {
    const many = Promise.all(Array.from({ length: 250 }, (_, index) => logIn(`crowd${index}@mail.example`)))
    const health = await shop.call('GET', '/healthz')
    expect(health.status).toBe(200)
    const responses = await many
    const rejected = responses.filter((response) => response.status === 503)
    expect(rejected.length).toBeGreaterThan(0)
    for (const response of rejected) {
      expect(errorOf(response).code).toBe('service_unavailable')
      expect(response.headers['retry-after']).toBe('2')
    }
    const others = responses.filter((response) => response.status !== 503)
    expect(others.length).toBeGreaterThanOrEqual(66)
    expect(others.every((response) => response.status === 401)).toBe(true)
    expect((await logIn('crowd1@mail.example')).status).toBe(401)
  })
})
