import { manualClock } from '@storefront/service/testing'
import { CustomerVerified, MailRequested } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { createSetting, PASSWORD, errorOf, type Setting } from './setting.ts'

const DAY_MS = 24 * 3600 * 1000
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

const change = (customerId: string, body: object) => shop.call('POST', '/auth/email/change', body, shop.as(customerId))
const changeTo = (customerId: string, email: string) => change(customerId, { email, password: PASSWORD })
/** Opens a link in the browser in which the customer is signed in. */
const verify = (token: string, customerId: string) =>
  shop.call('POST', '/auth/email/verify', { token }, shop.as(customerId))
const me = async (customerId: string) => (await shop.call('GET', '/me', undefined, shop.as(customerId))).body
const logIn = async (email: string) => (await shop.call('POST', '/auth/login', { email, password: PASSWORD })).status

describe('changing the email address', () => {
  test('happens when the link in the mail to the new address is opened, and the old address is notified', async () => {
    const { customer } = await shop.register('old@mail.example')
    await verify(await mailbox.token('emailVerification', 'old@mail.example'), customer.id)
    expect(await changeTo(customer.id, ' New@mail.example ')).toMatchObject({ status: 200, body: { ok: true } })
    expect(await me(customer.id)).toMatchObject({ email: 'old@mail.example' })
    const token = await mailbox.token('emailChange', 'new@mail.example')
    expect(await verify(token, customer.id)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await me(customer.id)).toMatchObject({ email: 'New@mail.example', emailVerified: true })
    expect(await mailbox.mail('emailChanged', 'old@mail.example')).toEqual({
      kind: 'emailChanged',
      to: 'old@mail.example',
      customerId: customer.id,
      name: 'Ada',
    })
    await waitFor('the event', async () => {
      const published = (await shop.suite.eventsOf(CustomerVerified)).at(-1)
      return published?.customerId === customer.id && published.email === 'new@mail.example'
    })
    expect([await logIn('old@mail.example'), await logIn('new@mail.example')]).toEqual([401, 200])
    expect(errorOf(await verify(token, customer.id))).toEqual(GONE)
  })

  test('is not mailed to an old address that was never verified: it may belong to another person', async () => {
    const { customer } = await shop.register('stranger@mail.example')
    await changeTo(customer.id, 'own@mail.example')
    expect((await verify(await mailbox.token('emailChange', 'own@mail.example'), customer.id)).status).toBe(200)
    // Events of one service arrive in order.
    const other = await shop.register('after@mail.example')
    await mailbox.mail('emailVerification', other.customer.email)
    const mails = (await shop.suite.eventsOf(MailRequested)).filter(({ to }) => to === 'stranger@mail.example')
    expect(mails.map(({ kind }) => kind)).toEqual(['emailVerification'])
  })

  test('sends three mails an hour to one address, whichever customer requests them, and reports the limit', async () => {
    const responses: number[] = []
    for (let index = 0; index < 4; index++) {
      const { customer } = await shop.register()
      responses.push((await changeTo(customer.id, index % 2 ? 'target@mail.example' : 'Target@mail.example')).status)
    }
    expect(responses).toEqual([200, 200, 200, 429])
  })

  test('invalidates every other link that was sent before', async () => {
    const { customer } = await shop.register('void@mail.example')
    await changeTo(customer.id, 'void1@mail.example')
    await changeTo(customer.id, 'void2@mail.example')
    const [first, other, second] = [
      await mailbox.token('emailVerification', 'void@mail.example'),
      await mailbox.token('emailChange', 'void1@mail.example'),
      await mailbox.token('emailChange', 'void2@mail.example'),
    ]
    expect((await verify(second, customer.id)).status).toBe(200)
    for (const token of [first, other]) expect(errorOf(await verify(token, customer.id))).toEqual(GONE)
    expect(await me(customer.id)).toMatchObject({ email: 'void2@mail.example' })
  })

  test("may be only another spelling of the account's own address", async () => {
    const { customer } = await shop.register('spelling@mail.example')
    expect((await changeTo(customer.id, 'Spelling@mail.example')).status).toBe(200)
    await verify(await mailbox.token('emailChange', 'spelling@mail.example'), customer.id)
    expect(await me(customer.id)).toMatchObject({ email: 'Spelling@mail.example' })
  })

  test('is rejected for an address that has an account, or has one by the time the link is opened', async () => {
    const { customer } = await shop.register('hopeful@mail.example')
    await shop.register('taken@mail.example')
    expect(errorOf(await changeTo(customer.id, 'TAKEN@mail.example'))).toEqual({ status: 409, code: 'email_taken' })
    await changeTo(customer.id, 'soon@mail.example')
    const token = await mailbox.token('emailChange', 'soon@mail.example')
    await shop.register('Soon@mail.example')
    expect(errorOf(await verify(token, customer.id))).toEqual({ status: 409, code: 'email_taken' })
    expect(await me(customer.id)).toMatchObject({ email: 'hopeful@mail.example' })
  })

  test('succeeds for one of two accounts that confirm the same address at once', async () => {
    const accounts = [await shop.register('one@mail.example'), await shop.register('two@mail.example')]
    const tokens: string[] = []
    for (const [index, { customer }] of accounts.entries()) {
      await changeTo(customer.id, 'wanted@mail.example')
      tokens.push(await mailbox.token('emailChange', 'wanted@mail.example', index + 1))
    }
    const responses = await Promise.all(tokens.map((token, index) => verify(token, accounts[index]?.customer.id ?? '')))
    expect(responses.map((response) => response.status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })

  test('requires the password, a well-formed address and a session', async () => {
    const { customer } = await shop.register()
    const email = 'well@mail.example'
    const cases = [
      [{ email, password: 'not the password' }, 401, 'invalid_credentials'],
      [{ email: 'no address', password: PASSWORD }, 422, 'invalid_email'],
      [{ email }, 422, 'missing_credentials'],
      [{ email, password: '' }, 422, 'missing_credentials'],
      [{ email: null, password: PASSWORD }, 422, 'missing_credentials'],
    ] as const
    for (const [body, status, code] of cases) expect(errorOf(await change(customer.id, body))).toEqual({ status, code })
    const anonymous = await shop.call('POST', '/auth/email/change', { email, password: PASSWORD })
    expect(errorOf(anonymous)).toEqual({ status: 401, code: 'unauthenticated' })
    expect((await shop.suite.eventsOf(MailRequested)).filter((mail) => mail.to === email)).toEqual([])
  })

  test('is valid for a day, and sends no more than ten mails in one', async () => {
    const { customer } = await shop.register('patient@mail.example')
    await changeTo(customer.id, 'next0@mail.example')
    const token = await mailbox.token('emailChange', 'next0@mail.example')
    for (let index = 1; index < 10; index++) {
      expect((await changeTo(customer.id, `next${index}@mail.example`)).status).toBe(200)
    }
    const rejected = await changeTo(customer.id, 'next10@mail.example')
    expect(errorOf(rejected)).toEqual({ status: 429, code: 'rate_limited' })
    expect(rejected.headers['retry-after']).toBe('3600')
    clock.advance(DAY_MS)
    expect(errorOf(await verify(token, customer.id))).toEqual(GONE)
    expect((await changeTo(customer.id, 'next10@mail.example')).status).toBe(200)
  })
})
