import { sendRequest } from '@storefront/messaging'
import { CheckEmailAddresses, CustomerUnverified, MailRequested } from '@storefront/contracts'
import { createSuite, migrateFrom, waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startIdentity } from '../src/start.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { configFor, createSetting, PASSWORD, errorOf, type Setting } from './setting.ts'

const LOOK_ALIKE = 'victim@gma\u0130l.test'
const INVALID = { status: 422, code: 'invalid_email' }
const TAKEN = { status: 409, code: 'email_taken' }

let shop: Setting
let mailbox: Mailbox

beforeAll(async () => {
  shop = await createSetting()
  mailbox = await openMailbox(shop.suite)
})
afterAll(async () => {
  await mailbox.close()
  await shop.stop()
})

const register = (email: string) => shop.call('POST', '/auth/register', { email, password: PASSWORD })
const logIn = (email: string) => shop.call('POST', '/auth/login', { email, password: PASSWORD })
const forgot = (email: string) => shop.call('POST', '/auth/password/forgot', { email })
const mailsTo = async (to: string) => (await shop.suite.eventsOf(MailRequested)).filter((mail) => mail.to === to)

describe('a look-alike of an address', () => {
  test('neither blocks the address nor gets its mails', async () => {
    const attacker = await shop.register(LOOK_ALIKE)
    expect(attacker.customer.email).toBe(LOOK_ALIKE)
    expect((await forgot('victim@gmail.test')).status).toBe(200)
    const victim = await shop.register('victim@gmail.test')
    expect((await forgot('VICTIM@gmail.test')).status).toBe(200)
    expect(await mailbox.mail('passwordReset', 'victim@gmail.test')).toMatchObject({ customerId: victim.customer.id })
    expect(await mailsTo('victim@xn--gmail-bgd.test')).toMatchObject([
      { kind: 'emailVerification', customerId: attacker.customer.id },
    ])
    expect((await logIn('victim@gmail.test')).body).toMatchObject({ customer: { id: victim.customer.id } })
    expect((await logIn(LOOK_ALIKE)).body).toMatchObject({ customer: { id: attacker.customer.id } })
  })

  test('is another subscriber', async () => {
    for (const email of ['reader@gma\u0130l.test', 'reader@gmail.test']) {
      expect((await shop.call('POST', '/newsletter', { email })).status).toBe(200)
    }
    expect(await mailbox.mail('newsletterConfirmation', 'reader@gmail.test')).toBeDefined()
    expect(await mailbox.mail('newsletterConfirmation', 'reader@xn--gmail-bgd.test')).toBeDefined()
  })
})

describe('an account', () => {
  test('is found by every spelling of its address, and conflicts with a registration under any of them', async () => {
    const { customer } = await shop.register('Ada@M\u00dcNCHEN.example')
    expect(customer.email).toBe('Ada@M\u00dcNCHEN.example')
    for (const spelling of ['ada@mu\u0308nchen.example', 'ADA@XN--MNCHEN-3YA.example', ' ada@m\u00fcnchen.example ']) {
      expect((await logIn(spelling)).body, spelling).toMatchObject({ customer: { id: customer.id } })
      expect(errorOf(await register(spelling)), spelling).toEqual(TAKEN)
    }
    expect(await mailbox.mail('emailVerification', 'ada@xn--mnchen-3ya.example')).toMatchObject({
      customerId: customer.id,
    })
  })

  test.each([
    ['a control character', 'eve\u0007@mail.example'],
    ['a control character in the domain', 'eve@ma\u0001il.example'],
    ['a right-to-left override', 'eve\u202e@mail.example'],
    ['an invisible character', 'eve\u2060@mail.example'],
    ['a letter that other systems read as ASCII', 'eve\u212a@mail.example'],
  ])('is rejected for an address with %s, and so is every other use of such an address', async (_what, email) => {
    const admin = shop.asAdmin('adm_test', ['admins:write'])
    const { customer } = await shop.register()
    const user = { email, name: 'Eve', role: 'support', password: 'quite a long password' }
    expect(errorOf(await register(email))).toEqual(INVALID)
    expect(errorOf(await forgot(email))).toEqual(INVALID)
    expect(errorOf(await shop.call('POST', '/newsletter', { email }))).toEqual(INVALID)
    const change = { email, password: PASSWORD }
    expect(errorOf(await shop.call('POST', '/auth/email/change', change, shop.as(customer.id)))).toEqual(INVALID)
    expect(errorOf(await shop.call('POST', '/admin/users', user, admin))).toEqual(INVALID)
    expect(errorOf(await logIn(email))).toEqual({ status: 401, code: 'invalid_credentials' })
  })
})

test('mails with links are counted by mailbox, in whatever spelling it is typed', async () => {
  const spellings = ['flood@m\u00fcll.example', 'FLOOD@mu\u0308ll.example', 'flood+a@xn--mll-hoa.example']
  const more = ['Flood+b@M\u00dcLL.example', 'flood+c@xn--mll-hoa.example']
  for (const email of [...spellings, ...more]) {
    expect((await shop.call('POST', '/newsletter', { email })).status).toBe(200)
  }
  await waitFor('all requests to be processed', async () => {
    const waiting = await shop.suite.sql('select 1 from identity.newsletter_requests')
    return waiting.length === 0
  })
  const mails = (await shop.suite.eventsOf(MailRequested)).filter(({ to }) => to.endsWith('@xn--mll-hoa.example'))
  expect(mails.map(({ to }) => to)).toEqual([
    'flood@xn--mll-hoa.example',
    'flood+a@xn--mll-hoa.example',
    'flood+b@xn--mll-hoa.example',
  ])
})

test('rows of an older version are processed, and the later of two rows with the same address is kept and reported', async () => {
  const suite = await createSuite('identity')
  const addCustomer = (id: string, email: string, day: number, verified = false) =>
    suite.sql(
      `insert into identity.customers (id, email, password_hash, first_name, last_name, created_at, email_verified_at)
       values ($1, $2, 'x', '', '', $3::timestamptz, $4::timestamptz)`,
      [id, email, `2026-01-0${day}`, verified ? `2026-01-0${day}` : null],
    )
  const ran = await migrateFrom(suite, 'identity', {
    before: '0010_canonical_addresses.sql',
    async fill() {
      await addCustomer('cus_plain', 'Plain@Mail.example', 1, true)
      await addCustomer('cus_attacker', LOOK_ALIKE, 1, true)
      await addCustomer('cus_ascii', 'one@xn--mnchen-3ya.example', 2)
      await addCustomer('cus_unicode', 'one@m\u00fcnchen.example', 1)
      await addCustomer('cus_nfd', 'one@mu\u0308nchen.example', 3, true)
      await addCustomer('cus_hidden', 'hidden\u0007@mail.example', 1)
      await suite.sql(`
        insert into identity.newsletter_subscribers (id, email, subscribed_at, confirmed_at) values
          ('sub_first', 'Reader@kit.example', '2026-01-01', null),
          ('sub_second', 'reader@\uff4bit.example', '2026-01-02', null)`)
      await suite.sql(`
        insert into identity.admin_users (id, email, password_hash, name, role, created_at)
        values ('adm_old', 'Old@m\u00fcnchen.example', 'x', 'Old', 'owner', now())`)
    },
  })
  expect(ran).toContain('0010_canonical_addresses.sql')
  // The previous version keeps writing until its last replica has stopped.
  await addCustomer('cus_later', 'LATER@mail.example', 4)
  await addCustomer('cus_later_again', 'later@mail.example', 5)

  const identity = await startIdentity(configFor(suite), suite.log)
  const requester = await suite.openMessaging('orders')
  try {
    const rows = await suite.sql<{ id: string; canonical: string | null; verified: boolean }>(`
      select id, email_canonical as canonical, email_verified_at is not null as verified from identity.customers
      union all select id, email_canonical, false from identity.newsletter_subscribers
      union all select id, email_canonical, false from identity.admin_users order by id`)
    expect(rows).toEqual([
      { id: 'adm_old', canonical: 'old@xn--mnchen-3ya.example', verified: false },
      { id: 'cus_ascii', canonical: null, verified: false },
      { id: 'cus_attacker', canonical: 'victim@xn--gmail-bgd.test', verified: false },
      { id: 'cus_hidden', canonical: null, verified: false },
      { id: 'cus_later', canonical: 'later@mail.example', verified: false },
      { id: 'cus_later_again', canonical: null, verified: false },
      { id: 'cus_nfd', canonical: 'one@xn--mnchen-3ya.example', verified: false },
      { id: 'cus_plain', canonical: 'plain@mail.example', verified: true },
      { id: 'cus_unicode', canonical: null, verified: false },
      { id: 'sub_first', canonical: 'reader@kit.example', verified: false },
      { id: 'sub_second', canonical: null, verified: false },
    ])
    const unverified = (await suite.eventsOf(CustomerUnverified)).map(({ customerId }) => customerId)
    expect(unverified.toSorted()).toEqual(['cus_attacker', 'cus_nfd'])
    await requester.opened
    const { faults, total } = await sendRequest(requester, CheckEmailAddresses, {})
    expect(total).toBe(5)
    expect(Object.fromEntries(faults.map(({ subject, message }) => [subject, message]))).toEqual({
      cus_ascii: expect.stringContaining('the same email address as cus_nfd'),
      cus_hidden: expect.stringContaining('is invalid'),
      cus_later_again: expect.stringContaining('the same email address as cus_later'),
      cus_unicode: expect.stringContaining('the same email address as cus_nfd'),
      sub_second: expect.stringContaining('the same email address as sub_first'),
    })
  } finally {
    await identity.stop()
    await suite.stop()
  }
})
