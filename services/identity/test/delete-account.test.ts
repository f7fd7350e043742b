import { Redis } from 'ioredis'
import { CustomerDeleted, MailRequested, revokedKey, WishlistRemoved } from '@storefront/contracts'
import { startOwnRedis, waitFor, waitForLock, type OwnRedis } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { claimsOf, createSetting, PASSWORD, errorOf, tokenOf, type Setting } from './setting.ts'

let server: OwnRedis
let redis: Redis
let shop: Setting

beforeAll(async () => {
  server = await startOwnRedis()
  redis = new Redis(server.url)
  redis.on('error', () => {})
  shop = await createSetting({ REDIS_URL: server.url })
})
afterAll(async () => {
  await shop.stop()
  redis.disconnect()
  await server.remove()
})

const OK = { status: 200, body: { ok: true } }
const WRONG = { status: 401, code: 'invalid_credentials' }

const remove = (customerId: string, body: unknown = { password: PASSWORD }) =>
  shop.call('DELETE', '/me', body, shop.as(customerId))
const logIn = (email: string) => shop.call('POST', '/auth/login', { email, password: PASSWORD })
const sessionOf = (token: string) => String(claimsOf(token)['sid'])
const isShared = async (sessionId: string) => (await redis.exists(revokedKey(shop.suite.namespace, sessionId))) === 1
const rowsOf = (table: string, customerId: string) =>
  shop.suite.sql(`select * from identity.${table} where ${table === 'customers' ? 'id' : 'customer_id'} = $1`, [
    customerId,
  ])
const wish = (customerId: string, name: string) =>
  shop.suite.sql(
    `insert into identity.wishlist_entries (id, customer_id, product_id, slug, saved_under, saved_at)
     values ($1, $2, $3, $1, $1, now())`,
    [`wish_${name}`, customerId, `prod_${name}`],
  )
const subscribe = (email: string, confirmed: boolean) =>
  shop.suite.sql(
    'insert into identity.newsletter_subscribers (email, subscribed_at, confirmed_at) values ($1, now(), $2)',
    [email, confirmed ? new Date() : null],
  )
const verify = (customerId: string) =>
  shop.suite.sql('update identity.customers set email_verified_at = now() where id = $1', [customerId])
const subscriptions = async (email: string) =>
  (await shop.suite.sql('select 1 from identity.newsletter_subscribers where lower(email) = lower($1)', [email])).length

describe('deleting an account', () => {
  test('deletes everything that belongs to it, and notifies every service with data about the customer', async () => {
    const { customer } = await shop.register('Gone@mail.example')
    const { id } = customer
    await shop.call('POST', '/me/addresses', { line1: '1 Way' }, shop.as(id))
    for (const name of ['gone_1', 'gone_2']) await wish(id, name)
    await subscribe('gone@MAIL.example', false)
    await verify(id)

    expect(await remove(id)).toMatchObject(OK)
    for (const table of ['customers', 'addresses', 'wishlist_entries', 'sessions']) {
      expect(await rowsOf(table, id), table).toEqual([])
    }
    expect(await subscriptions('gone@mail.example')).toBe(0)
    const events = await waitFor('the event', async () => {
      const deleted = (await shop.suite.eventsOf(CustomerDeleted)).filter((event) => event.customerId === id)
      const mails = (await shop.suite.eventsOf(MailRequested)).filter(
        ({ to, kind }) => to === 'gone@mail.example' && kind !== 'emailVerification',
      )
      const removed = (await shop.suite.eventsOf(WishlistRemoved)).filter(({ entryId }) => entryId.includes('gone'))
      return deleted.length > 0 && mails.length > 0 && removed.length > 1 ? { deleted, mails, removed } : undefined
    })
    expect(events.deleted).toEqual([{ customerId: id, email: 'gone@mail.example' }])
    // The mail refers to no customer, because it is sent after the account is deleted.
    expect(events.mails).toEqual([{ kind: 'accountDeleted', to: 'gone@mail.example', name: 'Ada' }])
    expect(events.removed.toSorted((one, other) => one.entryId.localeCompare(other.entryId))).toEqual([
      { entryId: 'wish_gone_1', productId: 'prod_gone_1' },
      { entryId: 'wish_gone_2', productId: 'prod_gone_2' },
    ])
  })

  test('prevents further sign-ins, and a new account with the address has nothing of the old one', async () => {
    const before = await shop.register('again@mail.example')
    await shop.call('POST', '/me/addresses', { line1: '1 Way' }, shop.as(before.customer.id))
    await remove(before.customer.id)
    expect(errorOf(await logIn('again@mail.example'))).toEqual(WRONG)
    const unauthenticated = { status: 401, code: 'unauthenticated' }
    const headers = shop.as(before.customer.id)
    const attempts = [
      await shop.call('GET', '/me', undefined, headers),
      await shop.call('PATCH', '/me', { firstName: 'Eve' }, headers),
      await shop.call('POST', '/me/addresses', { line1: '2 Way' }, headers),
      await shop.call('GET', '/me/export', undefined, headers),
      await remove(before.customer.id),
    ]
    expect(attempts.map(errorOf)).toEqual(attempts.map(() => unauthenticated))
    const after = await shop.register('AGAIN@mail.example')
    expect(after.customer.id).not.toBe(before.customer.id)
    expect(after.customer.addresses).toEqual([])
  })

  test('deletes waiting requests for its address, and newsletter links when the address is verified', async () => {
    for (const isOwn of [true, false]) {
      const email = `waiting-${isOwn}@mail.example`
      const { customer } = await shop.register(email)
      if (isOwn) await verify(customer.id)
      for (const address of [email.toUpperCase(), `other-${email}`]) {
        await shop.suite.sql(
          `insert into identity.confirmations (id, purpose, email, email_canonical, created_at, expires_at)
           values ('conf_' || $1, 'newsletter', $1, lower($1), now(), now() + interval '7 days')`,
          [address],
        )
      }
      // Inserted without waking the worker, so that they stay until the next sweep.
      for (const table of ['password_reset_requests', ...(isOwn ? ['newsletter_requests'] : [])]) {
        await shop.suite.sql(
          `insert into identity.${table} (email, email_canonical, requested_at) values ($1, $2, now())`,
          [email.toUpperCase(), email],
        )
      }
      expect(await remove(customer.id)).toMatchObject(OK)
      const waiting = await shop.suite.sql(
        `select email from identity.password_reset_requests union all select email from identity.newsletter_requests`,
      )
      expect(waiting).toEqual([])
      const links = await shop.suite.sql<{ email: string }>(
        `select email from identity.confirmations where purpose = 'newsletter' and lower(email) like $1`,
        [`%${email}`],
      )
      expect(links.map((link) => link.email).toSorted()).toEqual([
        ...(isOwn ? [] : [email.toUpperCase()]),
        `other-${email}`,
      ])
    }
  })

  test('repeatedly does not flood the mailbox of another person', async () => {
    const email = 'victim@mail.example'
    for (let round = 0; round < 6; round++) {
      const { customer } = await shop.register(round % 2 ? email : 'Victim@mail.example')
      expect(await remove(customer.id)).toMatchObject(OK)
    }
    // Nothing that is kept under the address of another person is deleted, either.
    expect(JSON.stringify(await shop.suite.eventsOf(CustomerDeleted))).not.toContain('victim')
    const kept = await shop.suite.sql('select * from identity.recipient_mails')
    expect(JSON.stringify(kept)).not.toContain('mail.example')
    // Events of one service arrive in order.
    await shop.register('after@mail.example')
    const mails = await waitFor('the later mail', async () => {
      const all = await shop.suite.eventsOf(MailRequested)
      return all.some(({ to }) => to === 'after@mail.example') ? all : undefined
    })
    const got = mails.filter(({ to }) => to.toLowerCase() === email)
    // The address gets its hourly limit of mails, and none about the deletions.
    expect(got.map(({ kind }) => kind)).toEqual(Array.from({ length: 3 }, () => 'emailVerification'))
  })

  test('requires the correct password', async () => {
    const { customer } = await shop.register()
    const missing = { status: 422, code: 'missing_credentials' }
    for (const body of [undefined, {}, { password: '' }, { password: null }]) {
      expect(errorOf(await shop.call('DELETE', '/me', body, shop.as(customer.id)))).toEqual(missing)
    }
    for (const password of ['correct horse', `${PASSWORD} `, 'x'.repeat(5000)]) {
      expect(errorOf(await remove(customer.id, { password }))).toEqual(WRONG)
    }
    expect((await shop.call('DELETE', '/me', { password: 7 }, shop.as(customer.id))).status).toBe(422)
    expect((await shop.call('DELETE', '/me', { password: PASSWORD })).status).toBe(401)
    expect((await shop.call('GET', '/me', undefined, shop.as(customer.id))).status).toBe(200)
    expect(await rowsOf('sessions', customer.id)).toHaveLength(1)
  })

  test('does not accept a password that was changed during the comparison', async () => {
    const { customer } = await shop.register()
    await shop.suite.sql('begin')
    await shop.suite.sql(`update identity.customers set password_hash = 'another' where id = $1`, [customer.id])
    const response = remove(customer.id)
    await waitForLock(shop.suite)
    await shop.suite.sql('commit')
    expect(errorOf(await response)).toEqual(WRONG)
    expect(await rowsOf('customers', customer.id)).toHaveLength(1)
  })

  test('rejects a concurrent sign-in', async () => {
    const { customer } = await shop.register('late@mail.example')
    await shop.suite.sql('begin')
    await shop.suite.sql('delete from identity.sessions where customer_id = $1', [customer.id])
    await shop.suite.sql('delete from identity.customers where id = $1', [customer.id])
    const response = logIn('late@mail.example')
    await waitForLock(shop.suite)
    await shop.suite.sql('commit')
    expect(errorOf(await response)).toEqual({ status: 401, code: 'invalid_credentials' })
  })

  test('happens once, and causes no error in concurrent sign-ins or writes', async () => {
    for (let round = 0; round < 3; round++) {
      const { customer } = await shop.register(`race${round}@mail.example`)
      const [removals, others] = await Promise.all([
        Promise.all([remove(customer.id), remove(customer.id)]),
        Promise.all([
          ...Array.from({ length: 4 }, () => logIn(`race${round}@mail.example`)),
          ...Array.from({ length: 4 }, () => shop.call('POST', '/me/addresses', { line1: '1' }, shop.as(customer.id))),
        ]),
      ])
      expect(new Set(removals.map((response) => response.status))).toEqual(new Set([200, 401]))
      for (const response of others) expect([200, 401]).toContain(response.status)
      const tokens = others.flatMap(({ body }) => z.object({ token: z.string() }).safeParse(body).data?.token ?? [])
      expect(await Promise.all(tokens.map((token) => isShared(sessionOf(token))))).toEqual(tokens.map(() => true))
      expect(await rowsOf('sessions', customer.id)).toEqual([])
    }
    const published = (await shop.suite.eventsOf(CustomerDeleted)).map((event) => event.customerId)
    expect(new Set(published).size).toBe(published.length)
  })

  test('keeps a confirmed newsletter subscription that may belong to another person, and deletes an unconfirmed one', async () => {
    const outsider = await shop.register('reader@mail.example')
    await subscribe('reader@mail.example', true)
    await remove(outsider.customer.id)
    expect(await subscriptions('reader@mail.example')).toBe(1)
    const reader = await shop.register('reader@mail.example')
    await verify(reader.customer.id)
    await remove(reader.customer.id)
    expect(await subscriptions('reader@mail.example')).toBe(0)
  })
})

describe('the sessions of a deleted account', () => {
  test('end at once on every device, and no longer name the customer', async () => {
    const { token, customer } = await shop.register('devices@mail.example')
    const sessions = [token, tokenOf(await logIn('devices@mail.example'))].map(sessionOf)
    await shop.suite.sql(
      `insert into identity.sessions (id, kind, customer_id, created_at, expires_at)
       values ('sess_old', 'customer', $1, now() - interval '31 days', now() - interval '1 day')`,
      [customer.id],
    )
    expect(await remove(customer.id)).toMatchObject(OK)
    for (const session of sessions) expect(await isShared(session)).toBe(true)
    const kept = await shop.suite.sql(
      'select id, customer_id, revoked_at is null as open from identity.sessions where id = any($1) order by id',
      [[...sessions, 'sess_old']],
    )
    expect(kept).toEqual(sessions.toSorted().map((id) => ({ id, customer_id: null, open: false })))
  })

  test('are marked as ended in a Redis that was down, and in one that lost everything later', async () => {
    const { token, customer } = await shop.register()
    await server.kill()
    expect(await remove(customer.id)).toMatchObject(OK)
    await server.start()
    await waitFor('the revocation in Redis', () => isShared(sessionOf(token)))
    await redis.flushall()
    await waitFor('the revocation in Redis', () => isShared(sessionOf(token)))
  })
})
