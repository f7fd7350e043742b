import { manualClock } from '@storefront/service/testing'
import { CustomerReclaimed, CustomerVerified, MailRequested, WishlistRemoved } from '@storefront/contracts'
import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { claimsOf, createSetting, PASSWORD, errorOf, tokenOf, type TestResponse, type Setting } from './setting.ts'

const HOUR_MS = 3600 * 1000
const NEXT = 'chosen at the mailbox'
const GONE = { status: 422, code: 'invalid_token' }
const ADDRESS = { name: 'Mallory', line1: '1 Elsewhere', city: 'Nowhere', postalCode: '1', country: 'GB' }

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

const verify = (body: object, headers = {}) => shop.call('POST', '/auth/email/verify', body, headers)
const reset = (token: string, password = NEXT) => shop.call('POST', '/auth/password/reset', { token, password })
const logIn = async (email: string, password: string) =>
  (await shop.call('POST', '/auth/login', { email, password })).status
const me = async (customerId: string) => (await shop.call('GET', '/me', undefined, shop.as(customerId))).body
const verificationOf = (email: string) => mailbox.token('emailVerification', email)
const resetTokenOf = ({ body }: TestResponse) =>
  z.strictObject({ ok: z.literal(true), newPasswordRequired: z.literal(true), resetToken: z.string() }).parse(body)
    .resetToken
const isEnded = async (token: string) => {
  const rows = await shop.suite.sql<{ ended: boolean }>(
    'select revoked_at is not null as ended from identity.sessions where id = $1',
    [claimsOf(token)['sid']],
  )
  return rows[0]?.ended
}
const verifiedFor = async (customerId: string) =>
  (await shop.suite.eventsOf(CustomerVerified)).filter((event) => event.customerId === customerId)

/** An account that an attacker registers with another person's address, with the data that the attacker adds. */
async function plantAccount(email: string) {
  const { token, customer } = await shop.register(email)
  const as = shop.as(customer.id)
  const details = { firstName: 'Call', lastName: '0900 666', phone: '0900 666', marketingOptIn: true }
  expect((await shop.call('PATCH', '/me', details, as)).status).toBe(200)
  expect((await shop.call('POST', '/me/addresses', ADDRESS, as)).status).toBe(200)
  await shop.suite.sql(
    `insert into identity.wishlist_entries (id, customer_id, product_id, slug, saved_under, saved_at)
     values ('wish_' || $1, $1, 'prod_1', 'shirt', 'shirt', now())`,
    [customer.id],
  )
  return { token, id: customer.id }
}

describe('an address that is confirmed without the session that registered it', () => {
  test('ends every session and the password, and is verified when a new password is set, not before', async () => {
    const email = 'victim@mail.example'
    const planted = await plantAccount(email)
    const other = tokenOf(await shop.call('POST', '/auth/login', { email, password: PASSWORD }))
    const token = await verificationOf(email)
    const response = await verify({ token })
    expect(response.status).toBe(200)
    const resetToken = resetTokenOf(response)
    expect([await isEnded(planted.token), await isEnded(other)]).toEqual([true, true])
    expect(await logIn(email, PASSWORD)).toBe(401)
    expect(await me(planted.id)).toMatchObject({ emailVerified: false })
    expect(await verifiedFor(planted.id)).toEqual([])
    expect(errorOf(await verify({ token }))).toEqual(GONE)

    expect(await reset(resetToken)).toMatchObject({ status: 200, body: { ok: true } })
    expect([await logIn(email, PASSWORD), await logIn(email, NEXT)]).toEqual([401, 200])
    expect(await me(planted.id)).toMatchObject({ email, emailVerified: true })
    expect(await verifiedFor(planted.id)).toEqual([{ customerId: planted.id, email }])
    expect(errorOf(await reset(resetToken))).toEqual(GONE)
  })

  test('removes from the account everything that was added before', async () => {
    const email = 'planted@mail.example'
    const { id } = await plantAccount(email)
    expect((await reset(resetTokenOf(await verify({ token: await verificationOf(email) })))).status).toBe(200)
    expect(await me(id)).toEqual({ id, email, firstName: '', lastName: '', emailVerified: true, addresses: [] })
    const kept = await shop.suite.sql(
      `select marketing_opt_in, (select count(*)::int from identity.wishlist_entries w where w.customer_id = c.id) as wishes
       from identity.customers c where id = $1`,
      [id],
    )
    expect(kept).toEqual([{ marketing_opt_in: false, wishes: 0 }])
    expect(await shop.suite.eventsOf(CustomerReclaimed)).toContainEqual({ customerId: id })
    expect(await shop.suite.eventsOf(WishlistRemoved)).toContainEqual({ entryId: `wish_${id}`, productId: 'prod_1' })
    expect(await mailbox.mail('passwordChanged', email)).toEqual({ kind: 'passwordChanged', to: email, customerId: id })
  })

  test('keeps everything for the person who registered and sets the same password again', async () => {
    const email = 'phone@mail.example'
    const { id } = await plantAccount(email)
    const resetToken = resetTokenOf(await verify({ token: await verificationOf(email) }))
    expect((await reset(resetToken, PASSWORD)).status).toBe(200)
    expect(await me(id)).toMatchObject({ firstName: 'Call', emailVerified: true, addresses: [{ name: 'Mallory' }] })
    expect(await logIn(email, PASSWORD)).toBe(200)
    expect(await shop.suite.eventsOf(CustomerReclaimed)).not.toContainEqual({ customerId: id })
  })

  test('can be claimed with a link for a new password as well, with the same effect', async () => {
    const email = 'forgot@mail.example'
    const { id, token } = await plantAccount(email)
    await shop.call('POST', '/auth/password/forgot', { email })
    expect((await reset(await mailbox.token('passwordReset', email))).status).toBe(200)
    expect(await me(id)).toMatchObject({ firstName: '', emailVerified: true, addresses: [] })
    expect(await isEnded(token)).toBe(true)
  })

  test('can be claimed later: with the token in the response for an hour, then with a password reset', async () => {
    const email = 'later@mail.example'
    const { id } = await plantAccount(email)
    const resetToken = resetTokenOf(await verify({ token: await verificationOf(email) }))
    clock.advance(HOUR_MS)
    expect(errorOf(await reset(resetToken))).toEqual(GONE)
    expect(await logIn(email, PASSWORD)).toBe(401)
    await shop.call('POST', '/auth/password/forgot', { email })
    // The old password no longer signs in, and still proves that this person registered.
    expect((await reset(await mailbox.token('passwordReset', email), PASSWORD)).status).toBe(200)
    expect(await me(id)).toMatchObject({ firstName: 'Call', emailVerified: true })
  })

  test('invalidates a change of address that was requested before', async () => {
    const email = 'moved@mail.example'
    const { id } = await plantAccount(email)
    const body = { email: 'mallory@mail.example', password: PASSWORD }
    expect((await shop.call('POST', '/auth/email/change', body, shop.as(id))).status).toBe(200)
    const theft = await mailbox.token('emailChange', 'mallory@mail.example')
    resetTokenOf(await verify({ token: await verificationOf(email) }))
    expect(errorOf(await verify({ token: theft }, shop.as(id)))).toEqual(GONE)
    expect(await me(id)).toMatchObject({ email })
  })

  test('is not undone by a concurrent change of the password', async () => {
    const email = 'race@mail.example'
    const { id } = await plantAccount(email)
    const token = await verificationOf(email)
    const body = { currentPassword: PASSWORD, newPassword: 'of the attacker' }
    const [changed, confirmed] = await Promise.all([
      shop.call('POST', '/auth/password/change', body, shop.as(id)),
      verify({ token }),
    ])
    expect(confirmed.status).toBe(200)
    expect([200, 401]).toContain(changed.status)
    expect(await logIn(email, PASSWORD)).toBe(401)
    expect(await logIn(email, 'of the attacker')).toBe(401)
  })

  test('of a verified account ends nothing', async () => {
    const email = 'twice@mail.example'
    const { token, customer } = await shop.register(email)
    const first = await verificationOf(email)
    clock.advance(HOUR_MS)
    await verify({}, shop.as(customer.id))
    const second = await mailbox.token('emailVerification', email, 2)
    expect((await verify({ token: first }, shop.as(customer.id))).body).toEqual({ ok: true })
    expect((await verify({ token: second })).body).toEqual({ ok: true })
    expect(await isEnded(token)).toBe(false)
    expect(await logIn(email, PASSWORD)).toBe(200)
  })
})

describe('an address that is confirmed by the person who registered it', () => {
  test('is verified at once with a session of the account, and no other', async () => {
    const email = 'own@mail.example'
    const { token, customer } = await shop.register(email)
    const outsider = await shop.register()
    const link = await verificationOf(email)
    expect((await verify({ token: link }, shop.as(customer.id))).body).toEqual({ ok: true })
    expect(await me(customer.id)).toMatchObject({ firstName: 'Ada', emailVerified: true })
    expect(await isEnded(token)).toBe(false)

    const planted = await plantAccount('foreign@mail.example')
    resetTokenOf(await verify({ token: await verificationOf('foreign@mail.example') }, shop.as(outsider.customer.id)))
    expect(await isEnded(planted.token)).toBe(true)
    expect(await isEnded(outsider.token)).toBe(false)
  })

  test('is verified at once with the password of the account, and a wrong one changes nothing', async () => {
    const email = 'typed@mail.example'
    const { token, customer } = await shop.register(email)
    const link = await verificationOf(email)
    const wrong = await verify({ token: link, password: 'not the password' })
    expect(errorOf(wrong)).toEqual({ status: 401, code: 'invalid_credentials' })
    expect(await isEnded(token)).toBe(false)
    expect((await verify({ token: link, password: PASSWORD })).body).toEqual({ ok: true })
    expect(await me(customer.id)).toMatchObject({ emailVerified: true })
    expect(await isEnded(token)).toBe(false)
  })
})

describe('a change of address to that of another person', () => {
  test('is not completed by that person alone, and the link still works for the holder of the account', async () => {
    const { customer } = await shop.register('mallory2@mail.example')
    const as = shop.as(customer.id)
    await verify({ token: await verificationOf('mallory2@mail.example') }, as)
    await shop.call('POST', '/auth/email/change', { email: 'target@mail.example', password: PASSWORD }, as)
    const token = await mailbox.token('emailChange', 'target@mail.example')
    const needed = { status: 422, code: 'missing_credentials' }
    expect(errorOf(await verify({ token }))).toEqual(needed)
    const outsider = await shop.register()
    expect(errorOf(await verify({ token }, shop.as(outsider.customer.id)))).toEqual(needed)
    const wrong = await verify({ token, password: 'not the password' })
    expect(errorOf(wrong)).toEqual({ status: 401, code: 'invalid_credentials' })
    expect(await me(customer.id)).toMatchObject({ email: 'mallory2@mail.example' })
    expect((await verifiedFor(customer.id)).map(({ email }) => email)).toEqual(['mallory2@mail.example'])

    expect((await verify({ token, password: PASSWORD })).body).toEqual({ ok: true })
    expect(await me(customer.id)).toMatchObject({ email: 'target@mail.example' })
    const mails = (await shop.suite.eventsOf(MailRequested)).filter(({ kind }) => kind === 'emailChanged')
    expect(mails.map(({ to }) => to)).toContain('mallory2@mail.example')
  })
})
