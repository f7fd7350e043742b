import { followRule } from '@storefront/postgres/testing'
import { actorHeaders, createActorKeys, manualClock } from '@storefront/service/testing'
import { PERMISSIONS } from '@storefront/contracts'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { RETENTION } from '../src/retention.ts'
import { ADMIN_PASSWORD, adminsOf, type Admins } from './admins.ts'
import { ADMIN, createSetting, errorOf, openDatabase, type Setting } from './setting.ts'

const clock = manualClock('2026-01-01T12:00:00.000Z')
let shop: Setting
let admins: Admins

beforeAll(async () => {
  shop = await createSetting({}, clock)
  admins = adminsOf(shop)
})
afterAll(() => shop.stop())

const deleteAll = () => shop.suite.sql('delete from identity.admin_audit')
beforeEach(deleteAll)

const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })

/** The audit entries, oldest first, without time and origin. */
const written = async (): Promise<unknown[]> =>
  (await admins.audit('?per_page=100')).items
    .toReversed()
    .map(({ action, outcome, actor, subject, email, fields }) => ({ action, outcome, actor, subject, email, fields }))

const nothing = { actor: null, subject: null, email: null, fields: [] }

describe('the audit', () => {
  test('contains every sign-in, the reason of a failure, and every sign-out', async () => {
    const { id, email } = await admins.add()
    await deleteAll()
    const { headers } = await admins.signIn(email.toUpperCase())
    await admins.logIn(email, { password: 'wrong' })
    await admins.logIn('nobody@shop.example')
    await admins.logIn('my secret password', { password: 'typed into the wrong field' })
    await shop.call('POST', '/admin/auth/logout', undefined, headers)
    await shop.call('POST', '/admin/auth/logout', undefined, headers)
    await shop.suite.sql('update identity.admin_users set disabled_at = now() where id = $1', [id])
    await admins.logIn(email)
    await admins.logIn(email, { password: 'wrong' })
    const signIn = { ...nothing, action: 'sign_in', email, subject: id }
    expect(await written()).toEqual([
      { ...signIn, outcome: 'succeeded', actor: id, email: email.toUpperCase() },
      { ...signIn, outcome: 'wrong_password' },
      { ...signIn, outcome: 'unknown', subject: null, email: 'nobody@shop.example' },
      { ...signIn, outcome: 'unknown', subject: null, email: null },
      { ...nothing, action: 'sign_out', outcome: 'succeeded', actor: id, subject: id },
      { ...signIn, outcome: 'disabled' },
      { ...signIn, outcome: 'wrong_password' },
    ])
  })

  test('contains one entry when there were too many attempts', async () => {
    const { id, email } = await admins.add()
    await deleteAll()
    for (let tries = 0; tries < 25; tries++) await admins.logIn(email, { password: 'wrong' })
    const signIn = { ...nothing, action: 'sign_in', email, subject: id }
    const wrong = Array.from({ length: 20 }, () => ({ ...signIn, outcome: 'wrong_password' }))
    expect(await written()).toEqual([...wrong, { ...signIn, outcome: 'too_many' }])
  })

  test('contains changes of second factors and own passwords', async () => {
    const { id, email } = await admins.add()
    const { headers } = await admins.signIn(email)
    await deleteAll()
    const post = (path: string, body: object) => shop.call('POST', path, body, headers)
    await post('/admin/auth/totp', { password: 'wrong' })
    const prepared = await post('/admin/auth/totp', { password: ADMIN_PASSWORD })
    const { secret } = z.object({ secret: z.string() }).parse(prepared.body)
    await post('/admin/auth/totp/confirm', { code: '000000' })
    const confirmed = await post('/admin/auth/totp/confirm', { code: codeOf(secret) })
    const [recoveryCode] = z.object({ recoveryCodes: z.array(z.string()) }).parse(confirmed.body).recoveryCodes
    await admins.logIn(email)
    for (let tries = 0; tries < 2; tries++) await admins.logIn(email, { code: recoveryCode ?? '' })
    for (let tries = 0; tries < 6; tries++) await admins.logIn(email, { code: '000000' })
    clock.advance(15 * 60_000)
    const off = { password: ADMIN_PASSWORD, code: codeOf(secret) }
    await shop.call('DELETE', '/admin/auth/totp', { ...off, password: 'wrong' }, headers)
    await shop.call('DELETE', '/admin/auth/totp', { ...off, code: '000000' }, headers)
    await shop.call('DELETE', '/admin/auth/totp', off, headers)
    await post('/admin/auth/password', { currentPassword: 'wrong', newPassword: 'a new long password' })
    await post('/admin/auth/password', { currentPassword: ADMIN_PASSWORD, newPassword: 'a new long password' })

    const own = { ...nothing, actor: id, subject: id }
    const signIn = { ...nothing, action: 'sign_in', email, subject: id }
    expect(await written()).toEqual([
      { ...own, action: 'second_factor_on', outcome: 'wrong_password' },
      { ...own, action: 'prepare_second_factor', outcome: 'succeeded' },
      { ...own, action: 'second_factor_on', outcome: 'wrong_code' },
      { ...own, action: 'second_factor_on', outcome: 'succeeded' },
      { ...signIn, outcome: 'code_required' },
      { ...signIn, outcome: 'succeeded', actor: id, fields: ['recoveryCode'] },
      // The second use of the recovery code is one of the five that are checked.
      ...Array.from({ length: 5 }, () => ({ ...signIn, outcome: 'wrong_code' })),
      { ...signIn, outcome: 'too_many' },
      { ...own, action: 'second_factor_off', outcome: 'wrong_password' },
      { ...own, action: 'second_factor_off', outcome: 'wrong_code' },
      { ...own, action: 'second_factor_off', outcome: 'succeeded' },
      { ...own, action: 'change_password', outcome: 'wrong_password' },
      { ...own, action: 'change_password', outcome: 'succeeded' },
    ])
  })

  test('contains who added, changed and removed a user, by the names of fields', async () => {
    const owner = await admins.owner()
    await deleteAll()
    const { headers } = owner
    const currentPassword = ADMIN.password
    const body = { email: 'kay@shop.example', name: 'Kay', role: 'support', password: ADMIN_PASSWORD, currentPassword }
    const added = await shop.call('POST', '/admin/users', body, headers)
    const { id } = z.object({ id: z.string() }).parse(added.body)
    await shop.call('POST', '/admin/users', body, headers)
    const kay = { name: 'Kay S.', role: 'fulfilment', currentPassword }
    await admins.change(id, { ...kay, password: 'hush hush hush' }, headers)
    await admins.change(id, { ...kay, disabled: false, secondFactor: false }, headers)
    await admins.change(id, { disabled: true })
    await admins.change(owner.id, { role: 'support', currentPassword }, headers)
    await shop.call('DELETE', `/admin/users/${id}`, undefined, headers)
    const change = { ...nothing, outcome: 'succeeded', actor: owner.id, subject: id }
    expect(await written()).toEqual([
      { ...change, action: 'create_user', email: body.email },
      { ...change, action: 'change_user', fields: ['name', 'role', 'password'] },
      { ...change, action: 'change_user', fields: ['disabled'], actor: 'key_test' },
      { ...change, action: 'delete_user', email: body.email },
    ])
    const kept = JSON.stringify(await shop.suite.sql('select * from identity.admin_audit'))
    for (const secret of ['hush', ADMIN_PASSWORD, ADMIN.password, '$argon2']) expect(kept).not.toContain(secret)
  })

  test("contains an owner who switched another user's second factor off", async () => {
    const { id } = await admins.add()
    const { headers, id: ownerId } = await admins.owner()
    await shop.suite.sql(
      `insert into identity.admin_second_factors (admin_user_id, secret, sealed_with, prepared_at, confirmed_at, last_step)
       values ($1, 'AAAA', 'nothing', now(), now(), 0)`,
      [id],
    )
    await deleteAll()
    for (let times = 0; times < 2; times++) {
      await admins.change(id, { secondFactor: false, currentPassword: ADMIN.password }, headers)
    }
    const off = { ...nothing, action: 'second_factor_off', outcome: 'succeeded', actor: ownerId, subject: id }
    expect(await written()).toEqual([off])
  })
})

describe('where a request came from', () => {
  const from = async (headers: object): Promise<{ address: string; userAgent: string | null; requestId: string }> => {
    await deleteAll()
    await admins.logIn('nobody@shop.example', {}, headers)
    const [entry] = (await admins.audit()).items
    if (!entry) throw new Error('the audit has no entry')
    return entry
  }
  const forwarded = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'req_of_this_test' }

  test('is the one signed by the gateway, and no other', async () => {
    const gateway = shop.suite.headers.anonymous()
    const forger = actorHeaders(createActorKeys()).anonymous()
    expect(await from({ ...forwarded, ...gateway })).toMatchObject({
      address: '203.0.113.7',
      requestId: 'req_of_this_test',
    })
    expect(await from({ ...gateway, 'x-forwarded-for': '2001:db8::7' })).toMatchObject({ address: '2001:db8::7' })
    for (const headers of [forwarded, { ...forwarded, ...forger }, { ...gateway, 'x-forwarded-for': '<script>' }, {}]) {
      expect(await from(headers)).toMatchObject({ address: '127.0.0.1' })
    }
  })

  test('has the user agent up to a reasonable length', async () => {
    expect((await from({ 'user-agent': 'Browser/1.0' })).userAgent).toBe('Browser/1.0')
    expect((await from({ 'user-agent': `a\0b\n${'x'.repeat(1000)}` })).userAgent).toBe(`a b ${'x'.repeat(196)}`)
  })
})

describe('reading the audit', () => {
  const write = (at: string, action: string, actor: string) =>
    shop.suite.sql(
      `insert into identity.admin_audit (at, action, outcome, actor, fields, address, request_id)
       values ($1, $2, 'succeeded', $3, '{}', '127.0.0.1', 'req_test')`,
      [at, action, actor],
    )

  test('is paged, latest first, and restricted to the filter', async () => {
    for (let day = 1; day <= 5; day++) await write(`2026-01-0${day}T00:00:00Z`, 'sign_in', `user_${day % 2}`)
    await write('2026-01-06T00:00:00Z', 'sign_out', 'user_1')
    const first = await admins.audit('?per_page=4')
    expect(first).toMatchObject({ total: 6, perPage: 4, nextBeforeId: first.items[3]?.id })
    await write('2026-01-07T00:00:00Z', 'sign_out', 'user_1')
    const second = await admins.audit(`?per_page=4&before_id=${first.nextBeforeId}`)
    expect(second).toMatchObject({ total: 7, items: [{ at: '2026-01-02T00:00:00.000Z' }, {}] })
    expect(second.nextBeforeId).toBeUndefined()
    expect(second.items).toHaveLength(2)
    expect((await admins.audit('?per_page=5&page=2')).items).toEqual(second.items)

    const totals = async (query: string): Promise<number> => (await admins.audit(query)).total
    expect(await totals('?action=sign_out')).toBe(2)
    expect(await totals('?actor=user_1')).toBe(5)
    expect(await totals('?actor=user_1&action=sign_in')).toBe(3)
    expect(await totals('?from=2026-01-02T00:00:00Z&to=2026-01-04T00:00:00Z')).toBe(2)
    expect(await totals('?actor=nobody')).toBe(0)
    expect(await totals('?action=&actor=&from=&to=')).toBe(7)
    expect((await admins.audit('?per_page=1000')).perPage).toBe(100)
  })

  test('requires the permission for admin users', async () => {
    const read = (headers: object, query = '') => shop.call('GET', `/admin/auth/audit${query}`, undefined, headers)
    const others = PERMISSIONS.filter((permission) => permission !== 'admins:write')
    expect(errorOf(await read(admins.key(others)))).toEqual({ status: 403, code: 'forbidden' })
    expect(errorOf(await read({}))).toEqual({ status: 401, code: 'unauthenticated' })
    for (const query of ['?action=dance', '?from=yesterday', '?before_id=-1', '?before_id=x', '?per_page=many']) {
      expect(errorOf(await read(admins.key(), query)), query).toMatchObject({ code: 'validation_failed' })
    }
  })

  test('reaches back 400 days', async () => {
    await write('2026-01-01T00:00:00Z', 'sign_in', 'user_1')
    await write('2026-01-02T00:00:00Z', 'sign_in', 'user_2')
    const db = openDatabase(shop.suite)
    await followRule(RETENTION['old audit entries'], { db, clock: manualClock('2027-02-05T12:00:00.000Z') })
    await db.destroy()
    expect((await admins.audit()).items.map(({ actor }) => actor)).toEqual(['user_2'])
  })

  test('reaches back 30 days for sign-ins with unknown addresses', async () => {
    const { email } = await admins.add()
    await deleteAll()
    await admins.logIn('nobody@shop.example')
    await admins.logIn(email, { password: 'wrong' })
    await shop.suite.sql("delete from identity.admin_audit where action <> 'sign_in'")
    const db = openDatabase(shop.suite)
    const outcomesAfter = async (ms: number) => {
      await followRule(RETENTION['audit entries of unknown addresses'], {
        db,
        clock: manualClock(new Date(clock.now().getTime() + ms)),
      })
      return (await admins.audit()).items.map(({ outcome }) => outcome)
    }
    const monthMs = 30 * 24 * 3600 * 1000
    expect(await outcomesAfter(monthMs)).toEqual(['wrong_password', 'unknown'])
    expect(await outcomesAfter(monthMs + 1)).toEqual(['wrong_password'])
    await db.destroy()
  })

  test('counts to 10,000', async () => {
    const fill = (count: number) =>
      shop.suite.sql(
        `insert into identity.admin_audit (at, action, outcome, fields, address, request_id)
         select now(), 'sign_in', 'unknown', '{}', '127.0.0.1', 'req_test' from generate_series(1, $1)`,
        [count],
      )
    await fill(9_999)
    expect((await admins.audit()).total).toBe(9_999)
    await fill(5)
    expect((await admins.audit('?action=sign_in')).total).toBe(10_000)
    expect((await admins.audit('?action=sign_out')).total).toBe(0)
  })
})
