import { manualClock } from '@storefront/service/testing'
import { sql } from 'kysely'
import { transaction } from '@storefront/postgres'
import { CustomerVerified, MailRequested, revokedKey } from '@storefront/contracts'
import { waitFor, waitForLock } from '@storefront/tools/testing'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertMailRequest, takeMailRequest } from '../src/confirmations/mail-requests.queries.ts'
import { requestConfirmation } from '../src/confirmations/request-confirmation.ts'
import { startIdentity } from '../src/start.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import {
  claimsOf,
  configFor,
  createSetting,
  emailAddress,
  PASSWORD,
  errorOf,
  openDatabase,
  tokenOf,
  type TestResponse,
  type Setting,
} from './setting.ts'

const MINUTE_MS = 60_000
const NEXT = 'another good password'
const OK = { status: 200, body: { ok: true } }
const GONE = { status: 422, code: 'invalid_token' }

let shop: Setting
let mailbox: Mailbox
let redis: Redis
const clock = manualClock('2026-03-01T12:00:00.000Z')

beforeAll(async () => {
  shop = await createSetting({}, clock)
  mailbox = await openMailbox(shop.suite)
  redis = new Redis(shop.suite.redisUrl)
})
afterAll(async () => {
  redis.disconnect()
  await mailbox.close()
  await shop.stop()
})

const forgot = (email: string) => shop.call('POST', '/auth/password/forgot', { email })
const reset = (token: string, password = NEXT) => shop.call('POST', '/auth/password/reset', { token, password })
const logIn = (email: string, password: string): Promise<TestResponse> =>
  shop.call('POST', '/auth/login', { email, password })
const sessionOf = (token: string) => String(claimsOf(token)['sid'])

async function lockOut(email: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) expect((await logIn(email, 'a wrong guess')).status).toBe(401)
}

async function verified(email: string): Promise<void> {
  const token = await mailbox.token('emailVerification', email)
  expect(await shop.call('POST', '/auth/email/verify', { token, password: PASSWORD })).toMatchObject(OK)
}

async function processed(): Promise<void> {
  await waitFor('the requests to be processed', async () => {
    const left = await shop.suite.sql('select 1 from identity.password_reset_requests')
    return left.length === 0
  })
}

async function resetsOf(customerId: string): Promise<number> {
  await processed()
  const made = `select 1 from identity.confirmations where customer_id = $1 and purpose = 'passwordReset'`
  return (await shop.suite.sql(made, [customerId])).length
}

async function resetToken(email: string): Promise<string> {
  expect(await forgot(email)).toMatchObject(OK)
  return mailbox.token('passwordReset', email)
}

/** Which of these sessions have ended, in the table and for every gateway. */
async function ended(sessionIds: string[]): Promise<boolean[]> {
  const over: boolean[] = []
  for (const id of sessionIds) {
    const rows = await shop.suite.sql('select 1 from identity.sessions where id = $1 and revoked_at is not null', [id])
    expect(await redis.exists(revokedKey(shop.suite.namespace, id))).toBe(rows.length)
    over.push(rows.length === 1)
  }
  return over
}

describe('a request for a password reset', () => {
  test('gets the same response with or without an account, in any spelling; only an account gets a mail', async () => {
    const { customer } = await shop.register('Known@mail.example')
    for (const email of ['known@MAIL.example', 'unknown@mail.example']) {
      const { status, body } = await forgot(` ${email}`)
      expect({ status, body }).toEqual(OK)
    }
    expect(await mailbox.mail('passwordReset', 'known@mail.example')).toEqual({
      kind: 'passwordReset',
      to: 'known@mail.example',
      customerId: customer.id,
      confirmationId: expect.stringMatching(/^conf_/),
      unproven: { senders: [expect.stringMatching(/^address:/)] },
      name: 'Ada',
    })
    await processed()
    const { url } = await mailbox.linkOf(
      (await mailbox.mail('passwordReset', 'known@mail.example')).confirmationId ?? '',
    )
    expect(url).toMatch(/^http:\/\/shop\.example\/auth\/password\/reset#token=conf_/)
    const mails = await shop.suite.eventsOf(MailRequested)
    expect(mails.filter((mail) => mail.to.toLowerCase().startsWith('unknown'))).toEqual([])
  })

  test('is rejected without a well-formed address', async () => {
    for (const body of [undefined, {}, { email: null }, { email: '' }, { email: 'ada at mail' }]) {
      const response = await shop.call('POST', '/auth/password/forgot', body)
      expect(errorOf(response)).toEqual({ status: 422, code: 'invalid_email' })
    }
  })

  test('sends one mail a minute and five an hour, however many requests arrive at once', async () => {
    const { customer } = await shop.register('limited@mail.example')
    await Promise.all(Array.from({ length: 8 }, () => forgot('limited@mail.example')))
    expect(await resetsOf(customer.id)).toBe(1)
    for (let round = 2; round <= 7; round++) {
      clock.advance(MINUTE_MS)
      await forgot('limited@mail.example')
      expect(await resetsOf(customer.id)).toBe(Math.min(round, 5))
    }
    clock.advance(60 * MINUTE_MS)
    await forgot('limited@mail.example')
    expect(await resetsOf(customer.id)).toBe(6)
  })

  test('sends at most twenty mails a day', async () => {
    const { customer } = await shop.register('daily@mail.example')
    const mail = {
      purpose: 'passwordReset' as const,
      email: emailAddress('daily@mail.example'),
      customer: { id: customer.id, first_name: 'Ada' },
      senders: [],
    }
    const db = openDatabase(shop.suite)
    // Seventeen as the service makes them, without the requests.
    await transaction(db, async (tx) => {
      for (let round = 1; round <= 17; round++) {
        clock.advance(15 * MINUTE_MS)
        await requestConfirmation(tx, mail, clock.now())
      }
    })
    await db.destroy()
    expect(await resetsOf(customer.id)).toBe(17)
    for (let round = 18; round <= 22; round++) {
      clock.advance(15 * MINUTE_MS)
      await forgot('daily@mail.example')
      expect(await resetsOf(customer.id)).toBe(Math.min(round, 20))
    }
  })

  test('gets its response before the service looks for the account', async () => {
    await shop.register('unseen@mail.example')
    await shop.suite.sql('begin; lock table identity.customers, identity.confirmations in access exclusive mode')
    try {
      for (const email of ['unseen@mail.example', 'nobody@mail.example']) expect(await forgot(email)).toMatchObject(OK)
    } finally {
      await shop.suite.sql('commit')
    }
    await mailbox.mail('passwordReset', 'unseen@mail.example')
  })

  test('is processed by the next replica when the service dies before it processes it', async () => {
    await shop.register('crash@mail.example')
    await shop.suite.sql(
      `insert into identity.password_reset_requests (email, requested_at) values ('crash@mail.example', now())`,
    )
    const next = await startIdentity(configFor(shop.suite), shop.suite.log, clock)
    expect(await mailbox.mail('passwordReset', 'crash@mail.example')).toHaveProperty('confirmationId')
    await next.stop()
  })

  test('is taken from the queue one at a time, however the database plans the statement', async () => {
    const db = openDatabase(shop.suite)
    const names = ['one', 'two', 'three'].map((name) => `${name}@mail.example`)
    try {
      await transaction(db, async (tx) => {
        for (const email of names)
          await insertMailRequest(tx, 'password_reset_requests', {
            email: emailAddress(email),
            senders: [],
            now: clock.now(),
          })
        // The only plan left is a loop that runs the inner query for every row, as after a vacuum of the empty table.
        for (const way of ['hashjoin', 'mergejoin', 'material', 'hashagg', 'sort']) {
          await sql`set local ${sql.raw(`enable_${way}`)} to off`.execute(tx)
        }
        const taken: unknown[] = []
        for (let round = 0; round < 4; round++) {
          taken.push((await takeMailRequest(tx, 'password_reset_requests'))?.email?.canonical)
        }
        expect(taken).toEqual([...names, undefined])
      })
    } finally {
      await db.destroy()
    }
  })

  test('is rejected with Retry-After when far too many wait, with or without an account', async () => {
    await shop.register('full@mail.example')
    // Twice the limit: some are processed before the lock.
    const fill = `insert into identity.password_reset_requests (email, requested_at)
      select 'waiting' || n || '@mail.example', now() from generate_series(1, 20000) n`
    // A lock keeps the requests from being processed.
    await shop.suite.sql(`begin; ${fill}; commit; begin; select 1 from identity.password_reset_requests for update`)
    try {
      for (const email of ['full@mail.example', 'unknown@mail.example']) {
        const response = await forgot(email)
        expect(errorOf(response)).toEqual({ status: 503, code: 'service_unavailable' })
        expect(response.headers['retry-after']).toBe('10')
      }
    } finally {
      await shop.suite.sql('delete from identity.password_reset_requests; commit')
    }
    expect(await forgot('full@mail.example')).toMatchObject(OK)
  })
})

describe('setting a new password with the link of the mail', () => {
  test('replaces the password, verifies the address, ends every session at once, and sends a mail', async () => {
    const { token: first, customer } = await shop.register('ada@mail.example')
    const second = tokenOf(await logIn('ada@mail.example', PASSWORD))
    const outsider = await shop.register()
    const token = await resetToken('ada@mail.example')
    expect(await reset(token)).toMatchObject(OK)
    expect(await ended([first, second, outsider.token].map(sessionOf))).toEqual([true, true, false])
    expect([
      (await logIn('ada@mail.example', PASSWORD)).status,
      (await logIn('ada@mail.example', NEXT)).status,
    ]).toEqual([401, 200])
    const me = await shop.call('GET', '/me', undefined, shop.as(customer.id))
    expect(me.body).toMatchObject({ emailVerified: true })
    expect(await mailbox.mail('passwordChanged', 'ada@mail.example')).toMatchObject({ customerId: customer.id })
    expect(await shop.suite.eventsOf(CustomerVerified)).toContainEqual({
      customerId: customer.id,
      email: 'ada@mail.example',
    })
    expect(errorOf(await reset(token))).toEqual(GONE)
  })

  test('unlocks an account that was locked by wrong guesses', async () => {
    await shop.register('locked@mail.example')
    await lockOut('LOCKED@mail.example')
    expect((await logIn('locked@mail.example', PASSWORD)).status).toBe(429)
    expect(await reset(await resetToken('locked@mail.example'))).toMatchObject(OK)
    expect((await logIn('locked@mail.example', NEXT)).status).toBe(200)
  })

  test('succeeds once in several concurrent requests', async () => {
    await shop.register('race@mail.example')
    const token = await resetToken('race@mail.example')
    const passwords = Array.from({ length: 5 }, (_, index) => `race for the password ${index}`)
    const responses = await Promise.all(passwords.map((password) => reset(token, password)))
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
    const signIns = await Promise.all(passwords.map((password) => logIn('race@mail.example', password)))
    expect(signIns.map((response) => response.status)).toEqual(
      responses.map((response) => (response.status === 200 ? 200 : 401)),
    )
  })

  test('invalidates all other links of the account that could undo it', async () => {
    const { customer } = await shop.register('links@mail.example')
    const body = { email: 'thief@mail.example', password: PASSWORD }
    await shop.call('POST', '/auth/email/change', body, shop.as(customer.id))
    const theft = await mailbox.token('emailChange', 'thief@mail.example')
    const first = await resetToken('links@mail.example')
    clock.advance(MINUTE_MS)
    await forgot('links@mail.example')
    const second = await mailbox.token('passwordReset', 'links@mail.example', 2)
    expect(await reset(second)).toMatchObject(OK)
    expect(errorOf(await reset(first))).toEqual(GONE)
    expect(errorOf(await shop.call('POST', '/auth/email/verify', { token: theft }))).toEqual(GONE)
  })

  test('leaves the link valid when the password is too weak, and accepts no other kind of link', async () => {
    await shop.register('weak@mail.example')
    const token = await resetToken('weak@mail.example')
    expect(errorOf(await reset(token, 'short'))).toEqual({ status: 422, code: 'weak_password' })
    expect(errorOf(await reset('nonsense', 'short'))).toEqual({ status: 422, code: 'weak_password' })
    const verification = await mailbox.token('emailVerification', 'weak@mail.example')
    expect(errorOf(await reset(verification))).toEqual(GONE)
    expect(errorOf(await shop.call('POST', '/auth/email/verify', { token }))).toEqual(GONE)
    expect(await reset(token)).toMatchObject(OK)
  })

  test('is rejected after an hour', async () => {
    await shop.register('slow@mail.example')
    const token = await resetToken('slow@mail.example')
    clock.advance(60 * MINUTE_MS)
    expect(errorOf(await reset(token))).toEqual(GONE)
    expect((await logIn('slow@mail.example', PASSWORD)).status).toBe(200)
  })

  test.each([undefined, {}, { token: 'x' }, { token: null, password: NEXT }, { token: 'x', password: '' }])(
    'is rejected without a token or a password: %j',
    async (body) => {
      const response = await shop.call('POST', '/auth/password/reset', body)
      expect(errorOf(response)).toEqual({ status: 422, code: 'missing_credentials' })
    },
  )
})

describe('changing the password', () => {
  const change = (customerId: string, sessionId: string, body?: object) =>
    shop.call('POST', '/auth/password/change', body, shop.as(customerId, sessionId))

  test('requires the current one, ends all other sessions, and invalidates links for a password reset', async () => {
    const { token: other, customer } = await shop.register('grace@mail.example')
    const mine = tokenOf(await logIn('grace@mail.example', PASSWORD))
    await verified('grace@mail.example')
    const link = await resetToken('grace@mail.example')
    const body = { currentPassword: PASSWORD, newPassword: NEXT }
    expect(await change(customer.id, sessionOf(mine), body)).toMatchObject(OK)
    expect(await ended([other, mine].map(sessionOf))).toEqual([true, false])
    expect((await logIn('grace@mail.example', PASSWORD)).status).toBe(401)
    expect((await logIn('grace@mail.example', NEXT)).status).toBe(200)
    expect(await mailbox.mail('passwordChanged', 'grace@mail.example')).toEqual({
      kind: 'passwordChanged',
      to: 'grace@mail.example',
      customerId: customer.id,
      name: 'Ada',
    })
    expect(errorOf(await reset(link))).toEqual(GONE)
  })

  test('does not verify the address, and sends no mail to an address that is not verified', async () => {
    const { token, customer } = await shop.register('unverified@mail.example')
    const body = { currentPassword: PASSWORD, newPassword: NEXT }
    expect(await change(customer.id, sessionOf(token), body)).toMatchObject(OK)
    const me = await shop.call('GET', '/me', undefined, shop.as(customer.id))
    expect(me.body).toMatchObject({ emailVerified: false })
    // Events of one service arrive in order.
    await shop.register('after@mail.example')
    await mailbox.mail('emailVerification', 'after@mail.example')
    const mails = (await shop.suite.eventsOf(MailRequested)).filter(({ to }) => to === 'unverified@mail.example')
    expect(mails.map(({ kind }) => kind)).toEqual(['emailVerification'])
  })

  test('lets the customer sign in with it at once, however many wrong guesses arrive during the change', async () => {
    const { token, customer } = await shop.register('besieged@mail.example')
    // The change waits after it has checked the old password and before it stores the new one.
    await shop.suite.sql('begin')
    await shop.suite.sql('select 1 from identity.customers where id = $1 for update', [customer.id])
    const body = { currentPassword: PASSWORD, newPassword: NEXT }
    const changing = change(customer.id, sessionOf(token), body)
    await waitForLock(shop.suite)
    await lockOut('besieged@mail.example')
    await shop.suite.sql('commit')
    expect(await changing).toMatchObject(OK)
    expect((await logIn('besieged@mail.example', NEXT)).status).toBe(200)
  })

  test('succeeds once in two concurrent requests', async () => {
    const { token, customer } = await shop.register('twice@mail.example')
    const responses = await Promise.all(
      ['the first new password', 'the second new password'].map((newPassword) =>
        change(customer.id, sessionOf(token), { currentPassword: PASSWORD, newPassword }),
      ),
    )
    expect(responses.map((response) => response.status).toSorted((one, other) => one - other)).toEqual([200, 401])
  })

  test('is rejected with a wrong, weak or missing password, and without an account', async () => {
    const { token, customer } = await shop.register('strict@mail.example')
    const cases = [
      [{ currentPassword: 'not the password', newPassword: NEXT }, 401, 'invalid_credentials'],
      [{ currentPassword: PASSWORD, newPassword: 'short' }, 422, 'weak_password'],
      [undefined, 422, 'missing_credentials'],
      [{ currentPassword: PASSWORD }, 422, 'missing_credentials'],
      [{ currentPassword: '', newPassword: NEXT }, 422, 'missing_credentials'],
      [{ currentPassword: PASSWORD, newPassword: null }, 422, 'missing_credentials'],
    ] as const
    for (const [body, status, code] of cases) {
      expect(errorOf(await change(customer.id, sessionOf(token), body))).toEqual({ status, code })
    }
    const body = { currentPassword: PASSWORD, newPassword: NEXT }
    expect(errorOf(await shop.call('POST', '/auth/password/change', body)).status).toBe(401)
    expect(errorOf(await change('cus_gone', 'sess_1', body))).toEqual({ status: 401, code: 'unauthenticated' })
    expect((await logIn('strict@mail.example', PASSWORD)).status).toBe(200)
  })
})
