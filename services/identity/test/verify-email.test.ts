import { manualClock } from '@storefront/service/testing'
import { CustomerVerified } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { createSetting, errorOf, type Setting } from './setting.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const GONE = { status: 422, code: 'invalid_token' }

let shop: Setting
let mailbox: Mailbox
const clock = manualClock('2026-03-01T12:00:00.000Z')

beforeAll(async () => {
  shop = await createSetting({}, clock)
  mailbox = await openMailbox(shop.suite)
})
afterAll(async () => {
  await mailbox.close()
  await shop.stop()
})

/** Opens a link in a browser in which no customer is signed in, unless one is given. */
const verify = (token: unknown, customerId?: string) =>
  shop.call('POST', '/auth/email/verify', { token }, customerId === undefined ? {} : shop.as(customerId))
const sendAgain = (customerId: string, body?: object) =>
  shop.call('POST', '/auth/email/verify', body, shop.as(customerId))
const isVerified = async (customerId: string) =>
  JSON.stringify((await shop.call('GET', '/me', undefined, shop.as(customerId))).body).includes('"emailVerified":true')
const mailsRequested = async (customerId: string): Promise<number> =>
  (await shop.suite.sql('select 1 from identity.confirmations where customer_id = $1', [customerId])).length

describe('confirming an email address', () => {
  test('works once with the link in the mail for a new account, and publishes an event', async () => {
    const { customer } = await shop.register('ada@mail.example')
    expect(await isVerified(customer.id)).toBe(false)
    const token = await mailbox.token('emailVerification', 'ada@mail.example')
    expect(await verify(token, customer.id)).toEqual(expect.objectContaining({ status: 200, body: { ok: true } }))
    expect(await isVerified(customer.id)).toBe(true)
    const published = { customerId: customer.id, email: 'ada@mail.example' }
    await waitFor('the event', async () => (await shop.suite.eventsOf(CustomerVerified)).length > 0)
    expect(await shop.suite.eventsOf(CustomerVerified)).toEqual([published])
    expect(errorOf(await verify(token))).toEqual(GONE)
  })

  test('succeeds once in ten concurrent requests', async () => {
    const { customer } = await shop.register('clicks@mail.example')
    const token = await mailbox.token('emailVerification', 'clicks@mail.example')
    const responses = await Promise.all(Array.from({ length: 10 }, () => verify(token, customer.id)))
    const rejected = responses.filter((response) => response.status !== 200)
    expect(rejected.map(errorOf)).toEqual(Array.from({ length: 9 }, () => GONE))
  })

  test('is rejected with the same error for an expired, forged or unknown link, and one of another purpose', async () => {
    await shop.register('late@mail.example')
    await shop.call('POST', '/newsletter', { email: 'late@mail.example' })
    const late = await mailbox.token('emailVerification', 'late@mail.example')
    const newsletter = await mailbox.token('newsletterConfirmation', 'late@mail.example')
    const [id = '', secret = ''] = late.split('.')
    clock.advance(7 * DAY_MS)
    const tokens = [late, newsletter, `${id}.${'A'.repeat(43)}`, `conf_${'0'.repeat(32)}.${secret}`, '', 'x']
    for (const token of tokens) {
      const response = await verify(token)
      expect(errorOf(response)).toEqual(GONE)
      expect(response.body).toEqual({
        code: 'invalid_token',
        message: 'This link no longer works. Please request a new one.',
        requestId: expect.any(String),
      })
    }
  })

  test('is rejected for an account that was deleted', async () => {
    const { customer } = await shop.register('gone@mail.example')
    const token = await mailbox.token('emailVerification', 'gone@mail.example')
    await shop.suite.sql('delete from identity.sessions where customer_id = $1', [customer.id])
    await shop.suite.sql('delete from identity.customers where id = $1', [customer.id])
    expect(errorOf(await verify(token))).toEqual(GONE)
  })
})

describe('requesting the mail again', () => {
  test('requires a session', async () => {
    for (const body of [undefined, {}, { token: null }]) {
      const response = await shop.call('POST', '/auth/email/verify', body)
      expect(errorOf(response)).toEqual({ status: 401, code: 'unauthenticated' })
    }
  })

  test('sends three mails an hour and five a day, and gets the same response beyond that', async () => {
    const { customer } = await shop.register('again@mail.example')
    const again = async (body?: object) => {
      expect(await sendAgain(customer.id, body)).toMatchObject({ status: 200, body: { ok: true } })
      return mailsRequested(customer.id)
    }
    // The mail for the new account counts towards the limit.
    expect(await again({})).toBe(2)
    expect(await again({ token: null })).toBe(3)
    expect(await again()).toBe(3)
    for (let round = 4; round <= 7; round++) {
      clock.advance(60 * MINUTE_MS)
      expect(await again()).toBe(Math.min(round, 5))
    }
    clock.advance(DAY_MS)
    expect(await again()).toBe(6)
    const token = await mailbox.token('emailVerification', 'again@mail.example', 6)
    expect((await verify(token)).status).toBe(200)
  })

  test('sends no more than the limit in many concurrent requests', async () => {
    const { customer } = await shop.register('crowd@mail.example')
    await Promise.all(Array.from({ length: 8 }, () => sendAgain(customer.id)))
    expect(await mailsRequested(customer.id)).toBe(3)
  })

  test('sends nothing when the address is confirmed', async () => {
    const { customer } = await shop.register('done@mail.example')
    await verify(await mailbox.token('emailVerification', 'done@mail.example'), customer.id)
    clock.advance(MINUTE_MS)
    expect((await sendAgain(customer.id)).status).toBe(200)
    expect(await mailsRequested(customer.id)).toBe(1)
  })
})
