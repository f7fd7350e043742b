import { manualClock } from '@storefront/service/testing'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { openRedis } from '@storefront/service'
import { apiKeyDigest, CheckSession, FindApiKey, PERMISSIONS, revokedKey, type Permission } from '@storefront/contracts'
import { createSuite, migrateFrom, waitFor, waitForLock } from '@storefront/tools/testing'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiKey } from '../src/api-keys/api-key.ts'
import { startIdentity } from '../src/start.ts'
import { ADMIN_PASSWORD, adminsOf, type Admins, type Person } from './admins.ts'
import { ADMIN, configFor, createSetting, errorOf, type TestResponse, type Setting } from './setting.ts'

const DAY_MS = 24 * 3600 * 1000
const MISSING = { status: 422, code: 'missing_credentials' }
const INVALID = { status: 422, code: 'validation_failed' }
const FORBIDDEN = { status: 403, code: 'forbidden' }
const WRONG = { status: 401, code: 'invalid_credentials' }

const clock = manualClock('2026-03-01T12:00:00.000Z')
let shop: Setting
let admins: Admins
let gateway: Messaging
let redis: ReturnType<typeof openRedis>

beforeAll(async () => {
  shop = await createSetting({}, clock)
  admins = adminsOf(shop)
  const { suite } = shop
  redis = openRedis({ url: suite.redisUrl, name: 'test', log: suite.log })
  gateway = await suite.openMessaging('gateway')
  await waitFor('identity on NATS', async () => (await find('sk_unknown')) === undefined)
})
afterAll(async () => {
  redis.disconnect()
  await shop.stop()
})

const Made = ApiKey.required({ key: true })
type Made = z.output<typeof Made>

const post = (body: object, headers: object) =>
  shop.call('POST', '/admin/api-keys', { name: 'a key', ...body }, headers)
const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS).toISOString()
const find = async (key: string) => (await sendRequest(gateway, FindApiKey, { digest: apiKeyDigest(key) })).key
const isValid = async (id: string) => (await sendRequest(gateway, CheckSession, { sessionId: id })).active
const notifiesGateways = async (id: string) => (await redis.get(revokedKey(shop.suite.namespace, id))) !== null
const protection = () => ({ expiresAt: inDays(30), currentPassword: ADMIN_PASSWORD })

/** An owner, who is not the first. */
async function owner(): Promise<Person & { email: string }> {
  const { email } = await admins.add({ role: 'owner' })
  return { ...(await admins.signIn(email)), email }
}

async function make(by: { headers: object }, permissions: readonly Permission[], more: object = {}): Promise<Made> {
  const response = await post({ permissions, ...more }, by.headers)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return Made.parse(response.body)
}

/** Headers of a key, as a gateway would send them. */
async function bearerOf({ key }: Made): Promise<{ headers: object }> {
  const found = await find(key)
  if (!found) throw new Error('the key is not valid')
  return { headers: shop.asAdmin(found.id, z.array(z.enum(PERMISSIONS)).parse(found.permissions)) }
}

async function listed(id: string): Promise<ApiKey | undefined> {
  const { body } = await shop.call('GET', '/admin/api-keys', undefined, admins.key())
  return z
    .object({ items: z.array(ApiKey) })
    .parse(body)
    .items.find((key) => key.id === id)
}

async function expectEnded({ id, key }: Made, reason: string, actor: string): Promise<void> {
  expect(await find(key)).toBeUndefined()
  expect(await isValid(id)).toBe(false)
  expect(await notifiesGateways(id)).toBe(true)
  const { items } = await admins.audit('?action=revoke_key&per_page=100')
  expect(items.find(({ subject }) => subject === id)).toMatchObject({ actor, fields: [reason] })
}

const issues = ({ body }: TestResponse) =>
  z.object({ detail: z.object({ issues: z.array(z.object({ path: z.string() })) }) }).parse(body).detail.issues

describe('a key to the users or credentials of the shop', () => {
  test.each<Permission>(['admins:write', 'credentials:write'])(
    'with %s requires the password of its creator and an expiry within 90 days',
    async (permission) => {
      const { headers } = await owner()
      const permissions = ['catalog:read', permission]
      const [expiresAt, currentPassword] = [inDays(90), ADMIN_PASSWORD]
      const late = new Date(Date.parse(expiresAt) + 1).toISOString()
      const unproven = await post({ permissions, expiresAt }, headers)
      expect(errorOf(unproven)).toEqual(MISSING)
      expect(issues(unproven)).toMatchObject([{ path: 'currentPassword' }])
      expect(unproven.body).toMatchObject({ message: expect.stringContaining('`currentPassword`') })
      expect(errorOf(await post({ permissions, expiresAt, currentPassword: 'wrong' }, headers))).toEqual(WRONG)
      for (const end of [undefined, late]) {
        const endless = await post({ permissions, currentPassword, expiresAt: end }, headers)
        expect(errorOf(endless)).toEqual(INVALID)
        expect(issues(endless)).toMatchObject([{ path: 'expiresAt' }])
        expect(endless.body).toMatchObject({ message: expect.stringContaining('90 days') })
      }
      expect((await post({ permissions, expiresAt, currentPassword }, headers)).body).toMatchObject({ expiresAt })
    },
  )

  test('requires a code of a second factor that is on, and the code cannot be used again', async () => {
    const person = await owner()
    const { headers } = person
    const prepared = await shop.call('POST', '/admin/auth/totp', { password: ADMIN_PASSWORD }, headers)
    const app = new TOTP({ secret: z.object({ secret: z.string() }).parse(prepared.body).secret })
    const code = () => app.generate({ timestamp: clock.now().getTime() })
    expect((await shop.call('POST', '/admin/auth/totp/confirm', { code: code() }, headers)).status).toBe(200)
    clock.advance(60_000)
    const wanted = { permissions: ['admins:write'], ...protection() }
    const without = await post(wanted, headers)
    expect(errorOf(without)).toEqual(MISSING)
    expect(issues(without)).toMatchObject([{ path: 'code' }])
    expect(errorOf(await post({ ...wanted, code: '000000' }, headers))).toEqual(WRONG)
    expect((await post({ ...wanted, code: code() }, headers)).status).toBe(200)
    expect(errorOf(await post({ ...wanted, code: code() }, headers))).toEqual(WRONG)
    const { items } = await admins.audit(`?actor=${person.id}&action=create_key`)
    expect(items.map(({ outcome }) => outcome)).toEqual(['wrong_code', 'succeeded', 'wrong_code'])
    clock.advance(60_000)
    const change = { currentPassword: ADMIN_PASSWORD, newPassword: 'another long password' }
    expect(errorOf(await shop.call('POST', '/admin/auth/password', change, headers))).toEqual(MISSING)
    const proven = { ...change, code: code() }
    expect((await shop.call('POST', '/admin/auth/password', proven, headers)).status).toBe(200)
  })

  test('is not created by a key, whatever password is sent', async () => {
    const person = await owner()
    const key = await bearerOf(await make(person, PERMISSIONS, protection()))
    for (const permission of ['admins:write', 'credentials:write']) {
      expect(errorOf(await post({ permissions: [permission], ...protection() }, key.headers))).toEqual(FORBIDDEN)
    }
  })
})

describe('a key that a key has created', () => {
  test('belongs to the same admin user, may do no more, and ends with it at the latest', async () => {
    const person = await owner()
    const first = await make(person, ['admins:write', 'catalog:read'], protection())
    const by = await bearerOf(first)
    const beyond = await post({ permissions: ['catalog:read', 'orders:write'] }, by.headers)
    expect(errorOf(beyond)).toEqual(FORBIDDEN)
    expect(beyond.body).toMatchObject({ detail: { permissions: ['orders:write'] } })
    const late = await post({ permissions: ['catalog:read'], expiresAt: inDays(31) }, by.headers)
    expect(errorOf(late)).toEqual(INVALID)
    expect(issues(late)).toMatchObject([{ path: 'expiresAt' }])
    const second = await make(by, ['catalog:read'])
    expect(second).toMatchObject({ createdBy: first.id, maker: person.id, expiresAt: first.expiresAt })
    expect(await make(by, ['catalog:read'], { expiresAt: inDays(29) })).toMatchObject({ expiresAt: inDays(29) })
  })

  test('is revoked with it', async () => {
    const person = await owner()
    const first = await make(person, ['admins:write', 'catalog:read'], protection())
    const second = await make(await bearerOf(first), ['catalog:read'])
    const other = await make(person, ['catalog:read'])
    expect((await shop.call('DELETE', `/admin/api-keys/${first.id}`, undefined, person.headers)).status).toBe(200)
    await expectEnded(second, 'maker_revoked', person.id)
    expect(await isValid(other.id)).toBe(true)
  })

  test('is not created by a revoked key, although a gateway still accepts that key', async () => {
    const person = await owner()
    const first = await make(person, ['admins:write', 'catalog:read'], protection())
    const by = await bearerOf(first)
    await shop.call('DELETE', `/admin/api-keys/${first.id}`, undefined, person.headers)
    expect(errorOf(await post({ permissions: ['catalog:read'] }, by.headers))).toMatchObject({ status: 401 })
  })
})

describe('the keys of an admin user end', () => {
  const remove = (id: string, by: Person) =>
    shop.call('DELETE', `/admin/users/${id}`, { currentPassword: ADMIN_PASSWORD }, by.headers)
  const change = (id: string, what: object, by: Person) =>
    admins.change(id, { ...what, currentPassword: ADMIN_PASSWORD }, by.headers)

  test('when the user is removed', async () => {
    const [person, other] = [await owner(), await owner()]
    const first = await make(person, ['admins:write', 'catalog:read'], protection())
    const second = await make(await bearerOf(first), ['catalog:read'])
    const publishable = await make(person, [], { kind: 'publishable' })
    expect(await remove(person.id, other)).toMatchObject({ status: 200, body: { ok: true, revokedKeys: 2 } })
    for (const key of [first, second]) await expectEnded(key, 'user_removed', other.id)
    expect(await listed(publishable.id)).toMatchObject({ revokedAt: null })
  })

  test('when the user is disabled, and enabling the user again does not restore them', async () => {
    const [person, other] = [await owner(), await owner()]
    const key = await make(person, ['orders:read'])
    const disabled = await change(person.id, { disabled: true }, other)
    expect(disabled).toMatchObject({ status: 200, body: { activeKeys: 0, revokedKeys: 1 } })
    await expectEnded(key, 'user_disabled', other.id)
    expect((await change(person.id, { disabled: false }, other)).status).toBe(200)
    expect(await find(key.key)).toBeUndefined()
  })

  test('and those that had expired before are not counted', async () => {
    const [person, other] = [await owner(), await owner()]
    const first = await make(person, ['admins:write', 'catalog:read'], protection())
    const expired = await make(await bearerOf(first), ['catalog:read'], { expiresAt: inDays(1) })
    clock.advance(2 * DAY_MS)
    const disabled = await change(person.id, { disabled: true }, await admins.signIn(other.email))
    expect(disabled).toMatchObject({ status: 200, body: { activeKeys: 0, revokedKeys: 1 } })
    expect(await listed(expired.id)).toMatchObject({ revokedAt: null })
  })

  test('when the user is demoted: those with more permissions than the new role, and those they have created', async () => {
    const [person, other] = [await owner(), await owner()]
    const reads = await make(person, ['orders:read'])
    const writes = await make(person, ['orders:read', 'settings:write'])
    const strong = await make(person, ['admins:write', 'orders:read'], protection())
    const child = await make(await bearerOf(strong), ['orders:read'])
    const demoted = await change(person.id, { role: 'support' }, other)
    expect(demoted).toMatchObject({ status: 200, body: { activeKeys: 1, revokedKeys: 3 } })
    for (const key of [writes, strong]) await expectEnded(key, 'role_changed', other.id)
    await expectEnded(child, 'maker_revoked', other.id)
    expect(await find(reads.key)).toMatchObject({ permissions: ['orders:read'] })
  })

  test('also when only the tables were changed', async () => {
    const person = await owner()
    const key = await make(person, ['orders:read', 'settings:write'])
    const update = (statement: string) => shop.suite.sql(statement, [person.id])
    await update("update identity.admin_users set role = 'support' where id = $1")
    expect(await find(key.key)).toMatchObject({ permissions: ['orders:read'] })
    expect(await listed(key.id)).toMatchObject({ permissions: ['orders:read'] })
    await update('update identity.admin_users set disabled_at = now() where id = $1')
    expect([await find(key.key), await isValid(key.id)]).toEqual([undefined, false])
    await update('update identity.admin_users set disabled_at = null where id = $1')
    expect(await isValid(key.id)).toBe(true)
    await update('delete from identity.admin_users where id = $1')
    expect([await find(key.key), await isValid(key.id)]).toEqual([undefined, false])
  })

  test.each([
    ['is disabled', 'update identity.admin_users set disabled_at = now() where id = $1'],
    ['is removed', 'delete from identity.admin_users where id = $1'],
    ['is demoted', "update identity.admin_users set role = 'support' where id = $1"],
    ['ends the session', 'update identity.sessions set revoked_at = now() where admin_user_id = $1'],
  ])('and none is created while the user %s', async (_what, sql) => {
    const person = await owner()
    await shop.suite.sql('begin')
    await shop.suite.sql('select 1 from identity.admin_users where id = $1 for update', [person.id])
    await shop.suite.sql(sql, [person.id])
    const making = post({ permissions: ['settings:write'] }, person.headers)
    await waitForLock(shop.suite)
    await shop.suite.sql('commit')
    expect([401, 403]).toContain((await making).status)
    expect(await shop.suite.sql('select 1 from identity.api_keys where maker_id = $1', [person.id])).toEqual([])
  })
})

describe('a new password', () => {
  test("offers to revoke the user's own keys, and returns how many there are", async () => {
    const person = await owner()
    const key = await make(person, ['orders:read'])
    const passwords = { currentPassword: ADMIN_PASSWORD, newPassword: 'another long password' }
    const kept = await shop.call('POST', '/admin/auth/password', passwords, person.headers)
    expect(kept).toMatchObject({ status: 200, body: { ok: true, activeKeys: 1, revokedKeys: 0 } })
    expect(await isValid(key.id)).toBe(true)
    const again = { currentPassword: passwords.newPassword, newPassword: ADMIN_PASSWORD, revokeKeys: true }
    const ended = await shop.call('POST', '/admin/auth/password', again, person.headers)
    expect(ended).toMatchObject({ status: 200, body: { ok: true, activeKeys: 0, revokedKeys: 1 } })
    await expectEnded(key, 'password_changed', person.id)
  })

  test('that an owner sets for another user offers the same', async () => {
    const [person, other] = [await owner(), await owner()]
    const key = await make(person, ['orders:read'])
    const change = { password: 'another long password', currentPassword: ADMIN_PASSWORD }
    const kept = await admins.change(person.id, change, other.headers)
    expect(kept).toMatchObject({ status: 200, body: { activeKeys: 1, revokedKeys: 0 } })
    // The whole user is sent back, with the fields that the response added.
    const whole = { ...Object(kept.body), currentPassword: ADMIN_PASSWORD }
    expect((await admins.change(person.id, whole, other.headers)).status).toBe(200)
    const ended = await admins.change(person.id, { ...change, revokeKeys: true }, other.headers)
    expect(ended).toMatchObject({ status: 200, body: { activeKeys: 0, revokedKeys: 1 } })
    await expectEnded(key, 'password_changed', other.id)
  })
})

test('credentials can be set by a session that has just been opened, with a password, or by a key', async () => {
  const person = await owner()
  const setCredentials = (body: object, headers: object = person.headers) =>
    shop.call('POST', '/admin/credentials', body, headers)
  expect((await setCredentials({ smtpPassword: 'first' })).status).toBe(200)
  const key = await make(person, ['credentials:write'], protection())
  clock.advance(15 * 60_000)
  const stale = await setCredentials({ smtpPassword: 'of a thief' })
  expect(errorOf(stale)).toEqual(MISSING)
  expect(stale.body).toMatchObject({ message: expect.stringContaining('sign in again') })
  expect(issues(stale)).toMatchObject([{ path: 'currentPassword' }])
  expect(errorOf(await setCredentials({ smtpPassword: 'of a thief', currentPassword: 'wrong' }))).toEqual(WRONG)
  expect((await setCredentials({ smtpPassword: 'second', currentPassword: ADMIN_PASSWORD })).status).toBe(200)
  expect((await setCredentials({ smtpPassword: 'third' }, (await bearerOf(key)).headers)).status).toBe(200)
  const { items } = await admins.audit('?action=change_credentials')
  expect(items.map(({ outcome, actor, fields }) => [outcome, actor, fields])).toEqual([
    ['succeeded', key.id, ['smtpPassword']],
    ['succeeded', person.id, ['smtpPassword']],
    ['wrong_password', person.id, []],
    ['succeeded', person.id, ['smtpPassword']],
  ])
})

test('keys of older versions get their known creators, and an expiry if they had none', async () => {
  const suite = await createSuite('identity')
  const addKey = (id: string, by: string, permissions: string[], expiresAt: string | null = null) =>
    suite.sql(
      `insert into identity.api_keys (id, kind, name, permissions, digest, hint, created_at, created_by, expires_at)
       values ($1, 'secret', $1, $2, $3, 'sk_', now(), $4, $5)`,
      [id, permissions, apiKeyDigest(id), by, expiresAt],
    )
  const ran = await migrateFrom(suite, 'identity', {
    before: '0012_makers_of_api_keys.sql',
    async fill() {
      await suite.sql(`
        insert into identity.admin_users (id, email, password_hash, name, role, created_at, disabled_at) values
          ('user_owner', 'a@shop.example', 'x', 'A', 'owner', now(), null),
          ('user_disabled', 'b@shop.example', 'x', 'B', 'owner', now(), now())`)
      await addKey('key_plain', 'user_owner', ['orders:read'])
      await addKey('key_strong', 'user_owner', ['admins:write', 'orders:read'])
      await addKey('key_soon', 'user_owner', ['admins:write'], new Date(Date.now() + DAY_MS).toISOString())
      await addKey('key_child', 'key_strong', ['orders:read'])
      await addKey('key_grandchild', 'key_child', ['orders:read'])
      await addKey('key_removed', 'user_gone', ['admins:write', 'orders:read'])
      await addKey('key_disabled', 'user_disabled', ['orders:read'])
    },
  })
  expect(ran).toContain('0012_makers_of_api_keys.sql')
  // The previous version keeps writing until its last replica has stopped.
  await addKey('key_later', 'user_owner', ['credentials:write', 'orders:read'])

  const identity = await startIdentity(configFor(suite), suite.log)
  const requester = await suite.openMessaging('gateway')
  try {
    const rows = await suite.sql<{ id: string; maker: string | null; days: number | null }>(`
      select id, maker_id as maker, round(extract(epoch from expires_at - now()) / 86400)::int as days
      from identity.api_keys order by id`)
    expect(rows).toEqual([
      { id: 'key_child', maker: 'user_owner', days: null },
      { id: 'key_disabled', maker: null, days: 30 },
      { id: 'key_grandchild', maker: 'user_owner', days: null },
      { id: 'key_later', maker: null, days: null },
      { id: 'key_plain', maker: 'user_owner', days: null },
      { id: 'key_removed', maker: null, days: 30 },
      { id: 'key_soon', maker: 'user_owner', days: 1 },
      { id: 'key_strong', maker: 'user_owner', days: 90 },
    ])
    const limited = await suite.sql<{ subject: string }>(
      "select subject from identity.admin_audit where action = 'limit_key' order by subject",
    )
    expect(limited.map(({ subject }) => subject)).toEqual(['key_disabled', 'key_removed', 'key_strong'])
    await requester.opened
    const permissionsOf = async (id: string) =>
      (await sendRequest(requester, FindApiKey, { digest: apiKeyDigest(id) })).key?.permissions
    expect(await waitFor('identity on NATS', () => permissionsOf('key_removed'))).toEqual(['orders:read'])
    expect(await permissionsOf('key_later')).toEqual(['orders:read'])
    expect(await permissionsOf('key_strong')).toEqual(['orders:read', 'admins:write'])
  } finally {
    await identity.stop()
    await suite.stop()
  }
})

test('the first owner is an owner like all others', async () => {
  const person = await admins.owner()
  const made = await make(person, ['admins:write'], { ...protection(), currentPassword: ADMIN.password })
  expect(made).toMatchObject({ maker: person.id })
})
