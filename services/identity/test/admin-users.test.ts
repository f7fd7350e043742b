import { openRedis } from '@storefront/service'
import { PERMISSIONS, revokedKey, ROLE_PERMISSIONS } from '@storefront/contracts'
import { freePort } from '@storefront/tools/infrastructure'
import { waitFor, waitForLock } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startIdentity } from '../src/start.ts'
import { ADMIN_PASSWORD, adminsOf, type Admins } from './admins.ts'
import { ADMIN, configFor, createSetting, errorOf, type Setting } from './setting.ts'

let shop: Setting
let admins: Admins
let redis: ReturnType<typeof openRedis>

beforeAll(async () => {
  shop = await createSetting()
  admins = adminsOf(shop)
  redis = openRedis({ url: shop.suite.redisUrl, name: 'test', log: shop.suite.log })
})
afterAll(async () => {
  redis.disconnect()
  await shop.stop()
})

const FORBIDDEN = { status: 403, code: 'forbidden' }
const OWNER_NEEDED = { status: 409, code: 'conflict' }
const NOT_FOUND = { status: 404, code: 'not_found' }

const add = async (change: object, headers?: object) => {
  const body = { email: `new${Math.random()}@shop.example`, name: 'New', role: 'support', password: ADMIN_PASSWORD }
  const confirmation = headers === undefined ? { currentPassword: ADMIN.password } : {}
  const by = headers ?? (await admins.owner()).headers
  return shop.call('POST', '/admin/users', { ...body, ...confirmation, ...change }, by)
}
const remove = (id: string, headers: object = admins.key(), currentPassword?: string) =>
  shop.call('DELETE', `/admin/users/${id}`, currentPassword === undefined ? undefined : { currentPassword }, headers)

/** Whether the session was ended; fails when its table and Redis, which the gateways read, differ. */
const isEnded = async (sessionId: string): Promise<boolean> => {
  const rows = await shop.suite.sql<{ ended: boolean }>(
    'select revoked_at is not null as ended from identity.sessions where id = $1',
    [sessionId],
  )
  const notified = (await redis.get(revokedKey(shop.suite.namespace, sessionId))) !== null
  expect(notified).toBe(rows[0]?.ended)
  return notified
}

describe('admin users', () => {
  test('are added, shown, changed and removed', async () => {
    const owner = await admins.owner()
    const body = { email: ' Grace@Shop.example ', name: ' Grace ', role: 'fulfilment', password: ADMIN_PASSWORD }
    const confirmation = { currentPassword: ADMIN.password }
    const added = await shop.call('POST', '/admin/users', { ...body, ...confirmation }, owner.headers)
    expect(added).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^user_/),
        email: 'Grace@Shop.example',
        name: 'Grace',
        role: 'fulfilment',
        permissions: [...ROLE_PERMISSIONS.fulfilment],
        disabled: false,
        secondFactor: false,
        createdAt: expect.stringMatching(/Z$/),
        lastSignInAt: null,
      },
    })
    const { id } = await admins.signIn('grace@shop.example')
    expect(await admins.show(id)).toMatchObject({ name: 'Grace', lastSignInAt: expect.stringMatching(/Z$/) })

    const change = { name: 'Grace H.', role: 'merchandiser', disabled: true }
    expect(await admins.change(id, { ...change, ...confirmation }, owner.headers)).toMatchObject({
      status: 200,
      body: { id, ...change, activeKeys: 0, revokedKeys: 0 },
    })
    expect(await admins.show(id)).toMatchObject({ ...change, permissions: [...ROLE_PERMISSIONS.merchandiser] })
    expect((await admins.change(id, {}, owner.headers)).body).toMatchObject(change)

    expect(await remove(id, owner.headers)).toMatchObject({ status: 200, body: { ok: true, revokedKeys: 0 } })
    expect(await admins.show(id)).toBeUndefined()
    expect(errorOf(await remove(id, owner.headers))).toEqual(NOT_FOUND)
    expect(errorOf(await admins.change(id, { name: 'x' }, owner.headers))).toEqual(NOT_FOUND)
    expect(errorOf(await admins.logIn('grace@shop.example'))).toMatchObject({ code: 'invalid_credentials' })
    expect((await add({ email: 'grace@shop.example' })).status).toBe(200)
  })

  test('each have an email address, a name, a known role and a password of twelve characters', async () => {
    const { email } = await admins.add()
    expect(errorOf(await add({ email: email.toUpperCase() }))).toEqual({ status: 409, code: 'email_taken' })
    expect(errorOf(await add({ email: 'nobody' }))).toEqual({ status: 422, code: 'invalid_email' })
    for (const password of ['eleven char', 'x'.repeat(201), '']) {
      expect(errorOf(await add({ password }))).toEqual({ status: 422, code: 'weak_password' })
    }
    expect((await add({ password: 'twelve chars' })).status).toBe(200)
    const { id } = await admins.add()
    expect(errorOf(await admins.changeAsOwner(id, { password: 'eleven char' }))).toMatchObject({
      code: 'weak_password',
    })
    const invalid = [{ role: 'king' }, { role: null }, { name: ' ' }, { name: 'a\nb' }, { name: 'x'.repeat(101) }]
    for (const change of invalid) {
      expect(errorOf(await add(change)), JSON.stringify(change)).toMatchObject({ code: 'validation_failed' })
      expect(errorOf(await admins.change(id, change))).toMatchObject({ code: 'validation_failed' })
    }
    for (const change of [{ disabled: 'yes' }, { secondFactor: true }, { password: 1 }]) {
      expect(errorOf(await admins.change(id, change))).toMatchObject({ code: 'validation_failed' })
    }
    for (const missing of ['email', 'name', 'role', 'password']) {
      expect(errorOf(await add({ [missing]: undefined }))).toMatchObject({ code: 'validation_failed' })
    }
  })

  test('with the same address cannot be added twice, also in concurrent requests', async () => {
    const responses = await Promise.all([add({ email: 'twin@shop.example' }), add({ email: 'Twin@shop.example' })])
    expect(responses.map((response) => response.status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })

  test('cannot be managed by visitors, customers, and admins without permission', async () => {
    const { id } = await admins.add()
    const { customer } = await shop.register()
    const merchandiser = await admins.signIn((await admins.add()).email)
    const callers = [
      [{}, 401],
      [shop.as(customer.id), 403],
      [merchandiser.headers, 403],
      [admins.key(PERMISSIONS.filter((permission) => permission !== 'admins:write')), 403],
    ] as const
    for (const [headers, status] of callers) {
      expect((await shop.call('GET', '/admin/users', undefined, headers)).status).toBe(status)
      expect((await add({}, headers)).status).toBe(status)
      expect((await admins.change(id, { name: 'x' }, headers)).status).toBe(status)
      expect((await remove(id, headers)).status).toBe(status)
    }
    expect(await admins.show(id)).toMatchObject({ name: 'Grace' })
  })
})

describe('an admin cannot grant or revoke permissions beyond their own', () => {
  test('by adding, promoting, changing or removing a user', async () => {
    const narrow = admins.key(['admins:write', ...ROLE_PERMISSIONS.support])
    const { id: ownerId } = await admins.owner()
    const support = await admins.add({ role: 'support' })
    const merchandiser = await admins.add({ role: 'merchandiser' })

    // The key cannot even grant permissions that it has, because a key must not be able to add a user.
    expect(errorOf(await add({ role: 'support' }, narrow))).toEqual(FORBIDDEN)
    for (const role of ['owner', 'merchandiser', 'fulfilment']) {
      expect(errorOf(await add({ role }, narrow))).toEqual(FORBIDDEN)
      expect(errorOf(await admins.change(support.id, { role }, narrow))).toEqual(FORBIDDEN)
    }
    for (const id of [ownerId, merchandiser.id]) {
      const changes = [{ name: 'x' }, { role: 'support' }, { disabled: true }, { password: 'taken over by me' }, {}]
      for (const change of [...changes, { secondFactor: false }]) {
        expect(errorOf(await admins.change(id, change, narrow)), JSON.stringify(change)).toEqual(FORBIDDEN)
      }
      expect(errorOf(await remove(id, narrow))).toEqual(FORBIDDEN)
    }
    expect((await admins.change(support.id, { name: 'Ada' }, narrow)).status).toBe(200)
    expect((await remove(support.id, narrow)).status).toBe(200)
    expect(await admins.show(merchandiser.id)).toMatchObject({ role: 'merchandiser', name: 'Grace', disabled: false })
    expect((await admins.owner()).id).toBe(ownerId)
  })

  test('by changing their own password or second factor without their password', async () => {
    const owner = await admins.owner()
    for (const change of [{ password: 'without the old one' }, { secondFactor: false }]) {
      expect(errorOf(await admins.change(owner.id, change, owner.headers))).toEqual(FORBIDDEN)
    }
    expect((await admins.changeAsOwner(owner.id, { name: 'Owner' })).status).toBe(200)
  })
})

describe('changes that could take over a shop permanently', () => {
  const MISSING = { status: 422, code: 'missing_credentials' }
  const INVALID = { status: 401, code: 'invalid_credentials' }
  const newOwner = { role: 'owner', email: 'thief@shop.example' }
  const currentPassword = ADMIN.password

  // Other tests rely on the first owner being the only one.
  afterEach(() =>
    shop.suite.sql("delete from identity.admin_users where role = 'owner' and email <> $1", [ADMIN.email]),
  )

  /** Operations for which a session alone must not be enough, with this confirmation. */
  async function attempts(confirmation: object, headers: object) {
    const owner = await admins.add({ role: 'owner' })
    const other = await admins.add({ role: 'support' })
    const another = await admins.add({ role: 'support' })
    const disabled = await admins.add({ role: 'support' })
    expect((await admins.change(disabled.id, { disabled: true })).status).toBe(200)
    const change = (id: string, what: object) => () => admins.change(id, { ...what, ...confirmation }, headers)
    return [
      () => add({ ...newOwner, ...confirmation }, headers),
      () => add({ role: 'support', ...confirmation }, headers),
      change(another.id, { role: 'fulfilment' }),
      change(disabled.id, { disabled: false }),
      change(other.id, { role: 'owner' }),
      change(other.id, { password: 'taken over by me' }),
      change(other.id, { secondFactor: false }),
      change(owner.id, { password: 'taken over by me' }),
      change(owner.id, { secondFactor: false }),
      change(owner.id, { role: 'support' }),
      change(owner.id, { disabled: true }),
      change(owner.id, { disabled: false }),
      change(owner.id, { name: 'Nobody' }),
      () => shop.call('DELETE', `/admin/users/${owner.id}`, confirmation, headers),
    ]
  }
  const everyone = () =>
    shop.suite.sql('select id, name, role, password_hash, disabled_at from identity.admin_users order by id')

  test('require the password of the caller, and a secret key cannot make them', async () => {
    const { headers } = await admins.owner()
    const cases = [
      [{}, headers, MISSING],
      [{ currentPassword: '' }, headers, MISSING],
      [{ currentPassword: 'not the password' }, headers, INVALID],
      [{ currentPassword }, admins.key(), FORBIDDEN],
    ] as const
    for (const [confirmation, by, expected] of cases) {
      const all = await attempts(confirmation, by)
      const before = await everyone()
      for (const attempt of all) expect(errorOf(await attempt()), JSON.stringify(confirmation)).toEqual(expected)
      expect(await everyone()).toEqual(before)
      // After twenty wrong passwords further ones would not be checked.
      await shop.suite.sql('delete from identity.attempts')
    }
    for (const attempt of await attempts({ currentPassword }, headers)) expect((await attempt()).status).toBe(200)
    const [thief] = await shop.suite.sql<{ id: string }>('select id from identity.admin_users where email = $1', [
      newOwner.email,
    ])
    expect((await remove(thief?.id ?? '', headers, currentPassword)).status).toBe(200)
  })

  test('do not include revoking permissions: a key may disable and remove other users', async () => {
    const { id } = await admins.add({ role: 'support' })
    // A client sends the whole user back, with the same role and still enabled.
    for (const change of [{ name: 'Grace H.', role: 'support', disabled: false }, { disabled: true }]) {
      expect((await admins.change(id, change)).status).toBe(200)
    }
    expect((await remove(id)).status).toBe(200)
  })

  test('count wrong passwords together with those of sign-ins, and record them in the audit', async () => {
    const { email } = await admins.add({ role: 'owner' })
    const thief = await admins.signIn(email)
    for (let tries = 0; tries < 20; tries++) {
      expect(errorOf(await add({ ...newOwner, currentPassword: 'wrong' }, thief.headers))).toEqual(INVALID)
    }
    const limited = { status: 429, code: 'rate_limited' }
    expect(errorOf(await add({ ...newOwner, currentPassword: ADMIN_PASSWORD }, thief.headers))).toEqual(limited)
    expect(errorOf(await admins.logIn(email))).toEqual(limited)
    const { items } = await admins.audit(`?actor=${thief.id}&action=create_user`)
    expect(items.map(({ outcome }) => outcome)).toEqual([
      'too_many',
      ...Array.from({ length: 20 }, () => 'wrong_password'),
    ])
  })

  test('wait for a concurrent change that makes the user an owner', async () => {
    const { id } = await admins.add({ role: 'support' })
    await shop.suite.sql('begin')
    await shop.suite.sql("update identity.admin_users set role = 'owner' where id = $1", [id])
    const changing = [admins.change(id, { disabled: true }), remove(id)]
    await waitForLock(shop.suite, '', { statements: 2 })
    await shop.suite.sql('commit')
    for (const response of await Promise.all(changing)) expect(errorOf(response)).toEqual(MISSING)
    expect(await admins.show(id)).toMatchObject({ role: 'owner', disabled: false })
  })
})

test('a user who was locked out by wrong guesses can sign in with a password that an owner set', async () => {
  const { id, email } = await admins.add()
  for (let tries = 0; tries < 21; tries++) await admins.logIn(email, { password: 'wrong' })
  expect((await admins.logIn(email)).status).toBe(429)
  expect((await admins.changeAsOwner(id, { name: 'Another name' })).status).toBe(200)
  expect((await admins.logIn(email)).status).toBe(429)
  expect((await admins.changeAsOwner(id, { password: 'set by an owner' })).status).toBe(200)
  await admins.signIn(email, { password: 'set by an owner' })
})

describe('a shop', () => {
  test('keeps its last owner who can sign in', async () => {
    const { id: ownerId } = await admins.owner()
    const other = await admins.add({ role: 'owner' })
    expect((await admins.changeAsOwner(other.id, { disabled: true })).status).toBe(200)
    for (const change of [{ role: 'support' }, { disabled: true }, { role: 'owner', disabled: true }]) {
      const response = await admins.changeAsOwner(ownerId, change)
      expect(errorOf(response), JSON.stringify(change)).toEqual(OWNER_NEEDED)
      expect(response.body).toMatchObject({
        message: 'This is the last owner who can sign in. Make another user an owner first.',
      })
    }
    const { headers } = await admins.owner()
    expect(errorOf(await remove(ownerId, headers, ADMIN.password))).toEqual(OWNER_NEEDED)
    expect((await admins.changeAsOwner(ownerId, { role: 'owner', disabled: false, name: 'Owner' })).status).toBe(200)
    // A disabled owner does not count: removing them changes nothing.
    expect((await admins.changeAsOwner(other.id, { role: 'support' })).status).toBe(200)
    expect((await remove(other.id)).status).toBe(200)
  })

  test('rejects an owner who is being demoted, so that they cannot become one again or add another', async () => {
    const { email } = await admins.add({ role: 'owner' })
    const demoted = await admins.signIn(email)
    await shop.suite.sql('begin')
    await shop.suite.sql(`update identity.admin_users set role = 'support' where id = $1`, [demoted.id])
    await shop.suite.sql('update identity.sessions set revoked_at = now() where admin_user_id = $1', [demoted.id])
    const confirmation = { currentPassword: ADMIN_PASSWORD }
    const again = admins.change(demoted.id, { role: 'owner', ...confirmation }, demoted.headers)
    const body = { email: 'late@shop.example', name: 'Late', role: 'owner', password: ADMIN_PASSWORD, ...confirmation }
    const adding = shop.call('POST', '/admin/users', body, demoted.headers)
    await waitForLock(shop.suite, '', { statements: 2 })
    await shop.suite.sql('commit')
    expect([(await again).status, (await adding).status]).toEqual([401, 401])
    expect(await admins.show(demoted.id)).toMatchObject({ role: 'support' })
    expect(await shop.suite.sql(`select 1 from identity.admin_users where email = 'late@shop.example'`)).toEqual([])
  })

  test('keeps an owner when two owners demote, disable or remove each other at the same moment', async () => {
    let { id } = await admins.owner()
    let { email, password: currentPassword }: { email: string; password: string } = ADMIN
    for (const way of ['demote', 'disable', 'remove', 'demote', 'disable', 'remove'] as const) {
      const { headers } = await admins.signIn(email, { password: currentPassword })
      const added = await admins.add({ role: 'owner', by: { headers, currentPassword } })
      const other = await admins.signIn(added.email)
      const oust = (subject: string, by: object, password: string) => {
        if (way === 'remove') return remove(subject, by, password)
        const change = way === 'demote' ? { role: 'support' } : { disabled: true }
        return admins.change(subject, { ...change, currentPassword: password }, by)
      }
      const responses = await Promise.all([
        oust(id, other.headers, ADMIN_PASSWORD),
        oust(other.id, headers, currentPassword),
      ])
      expect(
        responses.map((response) => response.status).toSorted((one, other) => one - other),
        way,
      ).toEqual([200, 401])
      const owners = await shop.suite.sql<{ id: string }>(
        "select id from identity.admin_users where role = 'owner' and disabled_at is null",
      )
      expect(owners).toHaveLength(1)
      if (owners[0]?.id === id) continue
      currentPassword = ADMIN_PASSWORD
      email = added.email
      id = other.id
    }
    // The first owner is needed by other tests.
    await shop.suite.sql('delete from identity.admin_users')
    const again = await startIdentity(configFor(shop.suite), shop.suite.log)
    await again.stop()
    expect((await admins.owner()).id).not.toBe(id)
  })
})

describe('changes that end all sessions of a user at once', () => {
  test.each([
    ['another role', { role: 'support' }],
    ['another password', { password: 'another long password' }],
    ['being disabled', { disabled: true }],
  ])('include %s', async (_what, change) => {
    const { id, email } = await admins.add()
    const bystander = await admins.signIn((await admins.add()).email)
    const sessions = [await admins.signIn(email), await admins.signIn(email)]
    expect((await admins.changeAsOwner(id, change)).status).toBe(200)
    for (const { sessionId } of sessions) expect(await isEnded(sessionId)).toBe(true)
    expect(await isEnded(bystander.sessionId)).toBe(false)
  })

  test('do not include another name, or a change without effect', async () => {
    const { id, email } = await admins.add()
    const { sessionId } = await admins.signIn(email)
    expect((await admins.change(id, { name: 'Another', role: 'merchandiser', disabled: false })).status).toBe(200)
    expect(await isEnded(sessionId)).toBe(false)
  })

  test('include removal, which is written to Redis even if Redis was down at that moment', async () => {
    const nowhere = `redis://127.0.0.1:${await freePort()}`
    const { id, email } = await admins.add()
    const { sessionId } = await admins.signIn(email)
    const cutOff = await startIdentity(configFor(shop.suite, { REDIS_URL: nowhere }), shop.suite.log)
    const { statusCode } = await cutOff.app.inject({
      method: 'DELETE',
      url: `/admin/users/${id}`,
      headers: admins.key(),
    })
    expect(statusCode).toBe(200)
    await waitFor(
      'the other replica to update Redis',
      async () => (await redis.get(revokedKey(shop.suite.namespace, sessionId))) !== null,
    )
    expect(await isEnded(sessionId)).toBe(true)
    await cutOff.stop()
  })

  test.each([
    ['is disabled', 'update identity.admin_users set disabled_at = now() where id = $1'],
    ['is removed', 'delete from identity.admin_users where id = $1'],
    ['gets another password', "update identity.admin_users set password_hash = 'another' where id = $1"],
  ])('reject a sign-in that is running while the user %s', async (_what, change) => {
    const { id, email } = await admins.add()
    await shop.suite.sql('begin')
    await shop.suite.sql(change, [id])
    const signingIn = admins.logIn(email)
    // The password was correct when the user was read: opening the session must wait for the change.
    await waitForLock(shop.suite)
    await shop.suite.sql('commit')
    expect(errorOf(await signingIn)).toEqual({ status: 401, code: 'invalid_credentials' })
    expect(await shop.suite.sql('select 1 from identity.sessions where admin_user_id = $1', [id])).toEqual([])
  })
})

test('a disabled user cannot sign in and gets the usual error, until the user is enabled again', async () => {
  const { id, email } = await admins.add()
  const session = await admins.signIn(email)
  await admins.change(id, { disabled: true })
  const response = await admins.logIn(email)
  const unknown = await admins.logIn('nobody@shop.example')
  expect(errorOf(response)).toEqual({ status: 401, code: 'invalid_credentials' })
  expect({ ...Object(response.body), requestId: '' }).toEqual({ ...Object(unknown.body), requestId: '' })
  // Its actor is valid for another minute at most.
  expect((await shop.call('GET', '/admin/auth/me', undefined, session.headers)).status).toBe(401)
  expect((await admins.changeAsOwner(id, { disabled: false })).status).toBe(200)
  await admins.signIn(email)
})

test('the first admin is an owner who is not disabled', async () => {
  const owner = await admins.owner()
  expect(await admins.show(owner.id)).toMatchObject({ email: ADMIN.email, role: 'owner', disabled: false })
})
