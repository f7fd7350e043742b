import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { apiKeyDigest, CheckSession, FindApiKey, PERMISSIONS, revokedKey } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiKey } from '../src/api-keys/api-key.ts'
import { RETENTION } from '../src/retention.ts'
import type { Database } from '../src/database.ts'
import { adminsOf, type Person } from './admins.ts'
import { ADMIN, createSetting, errorOf, openDatabase, type TestResponse, type Setting } from './setting.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const NOW = '2026-03-01T12:00:00.000Z'

let shop: Setting
let db: Database
let gateway: Messaging
let redis: Redis
let clock: ReturnType<typeof manualClock>
let person: Person

beforeAll(async () => {
  clock = manualClock(NOW)
  shop = await createSetting({}, clock)
  const { suite } = shop
  db = openDatabase(suite, 2)
  redis = new Redis(suite.redisUrl)
  gateway = await suite.openMessaging('gateway')
  await waitFor('identity on NATS', async () => (await find('sk_unknown')) === undefined)
})
afterAll(async () => {
  redis.disconnect()
  await db.destroy()
  await shop.stop()
})
beforeEach(async () => {
  await shop.suite.sql('delete from identity.api_keys')
  // Its session may be older than a session can be.
  person = await adminsOf(shop).owner()
})

const owner = () => person.headers
const post = (body: unknown, headers = owner()) => shop.call('POST', '/admin/api-keys', body, headers)
const revoke = (id: string, headers = owner()) => shop.call('DELETE', `/admin/api-keys/${id}`, undefined, headers)
const find = async (key: string) => (await sendRequest(gateway, FindApiKey, { digest: apiKeyDigest(key) })).key
const isValid = async (id: string) => (await sendRequest(gateway, CheckSession, { sessionId: id })).active

const Made = ApiKey.strict().required({ key: true })

async function make(changes: object = {}): Promise<z.output<typeof Made>> {
  const response = await post({ name: 'warehouse', permissions: ['inventory:write'], ...changes })
  expect(response.status).toBe(200)
  return Made.parse(response.body)
}

async function list(): Promise<ApiKey[]> {
  const { body } = await shop.call('GET', '/admin/api-keys', undefined, owner())
  const { items, total } = z.strictObject({ items: z.array(ApiKey.strict()), total: z.int() }).parse(body)
  expect(total).toBe(items.length)
  return items
}

const issueOf = ({ body }: TestResponse): unknown =>
  z.object({ detail: z.object({ issues: z.array(z.object({ path: z.string() })) }) }).parse(body).detail.issues[0]?.path

describe('creating a secret key', () => {
  test('returns the key once; only its digest and its first characters are stored', async () => {
    const made = await make({ permissions: ['orders:read', 'catalog:read', 'orders:read'] })
    expect(made).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      name: 'warehouse',
      kind: 'secret',
      permissions: ['catalog:read', 'orders:read'],
      hint: made.key.slice(0, 7),
      expiresAt: null,
      createdAt: NOW,
      createdBy: person.id,
      maker: person.id,
      lastUsedAt: null,
      revokedAt: null,
      key: expect.stringMatching(/^sk_[\w-]{43}$/),
    })
    const { key, ...shown } = made
    expect(await list()).toEqual([shown])
    const stored = JSON.stringify(await shop.suite.sql('select * from identity.api_keys'))
    expect(stored).toContain(apiKeyDigest(key))
    expect(stored).not.toContain(key.slice(7))
    expect((await make()).key).not.toBe(key)
  })

  test.each([
    ['a customer', () => shop.as('cus_1'), 403],
    ['an admin without the permission', () => shop.asAdmin('user_2', ['catalog:write']), 403],
    ['an anonymous visitor', () => shop.suite.headers.anonymous(), 401],
  ])('is rejected for %s, and so is listing and revoking', async (_who, headers, status) => {
    const { id } = await make()
    const responses = [
      await post({ name: 'x', permissions: ['catalog:write'] }, headers()),
      await shop.call('GET', '/admin/api-keys', undefined, headers()),
      await revoke(id, headers()),
    ]
    expect(responses.map((response) => response.status)).toEqual([status, status, status])
    expect(await list()).toMatchObject([{ id, revokedAt: null }])
  })

  test.each<[string, object, string]>([
    ['without a name', { name: undefined }, 'name'],
    ['with an empty name', { name: '  ' }, 'name'],
    ['with a name on two lines', { name: 'a\nb' }, 'name'],
    ['with a name that is too long', { name: 'a'.repeat(101) }, 'name'],
    ['without permissions', { permissions: undefined }, 'permissions'],
    ['that may do nothing', { permissions: [] }, 'permissions'],
    ['with an unknown permission', { permissions: ['everything'] }, 'permissions.0'],
    ['of another kind', { kind: 'golden' }, 'kind'],
    ['that has expired', { expiresAt: NOW }, 'expiresAt'],
    ['for more than ten years', { expiresAt: '2036-03-01T12:00:00.001Z' }, 'expiresAt'],
    ['that expires at an invalid time', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['that is publishable and may do something', { kind: 'publishable' }, 'permissions'],
    [
      'that is publishable and expires',
      { kind: 'publishable', permissions: [], expiresAt: '2027-01-01T00:00:00Z' },
      'expiresAt',
    ],
  ])('is rejected for one %s', async (_what, changes, path) => {
    const response = await post({ name: 'warehouse', permissions: ['inventory:write'], ...changes })
    expect(errorOf(response)).toEqual({ status: 422, code: 'validation_failed' })
    expect(issueOf(response)).toBe(path)
    expect(await list()).toEqual([])
  })

  test('is rejected beyond a hundred valid keys, also in concurrent requests', async () => {
    const first = await make()
    await shop.suite.sql(
      `insert into identity.api_keys (id, kind, name, permissions, digest, hint, created_at, created_by, maker_id)
       select id || each, kind, name, permissions, digest || each, hint, created_at, created_by, maker_id
       from identity.api_keys, generate_series(1, 89) as each where id = $1`,
      [first.id],
    )
    const responses = await Promise.all(
      Array.from({ length: 15 }, () => post({ name: 'x', permissions: ['orders:read'] })),
    )
    const made = responses.filter(({ status }) => status === 200)
    expect(made).toHaveLength(10)
    const rejected = responses.filter(({ status }) => status !== 200)
    for (const response of rejected) expect(errorOf(response)).toEqual({ status: 422, code: 'validation_failed' })
    await revoke(Made.parse(made[0]?.body).id)
    const { id } = await make()
    expect((await post({ name: 'x', permissions: ['orders:read'] })).status).toBe(422)
    await shop.suite.sql('update identity.api_keys set expires_at = $1 where id = $2', [clock.now(), id])
    await make({ kind: 'publishable', permissions: [] })
    expect((await post({ name: 'x', permissions: ['orders:read'] })).status).toBe(422)
  })
})

describe('a publishable key', () => {
  test('is stored and shown in full, and gives no access', async () => {
    const response = await post({ name: 'storefront', kind: 'publishable' })
    const made = Made.parse(response.body)
    expect(made).toMatchObject({ kind: 'publishable', permissions: [], key: expect.stringMatching(/^pk_[\w-]{32}$/) })
    expect(await list()).toEqual([made])
    expect(await find(made.key)).toBeUndefined()
    expect(await isValid(made.id)).toBe(false)
  })

  test('is revoked without notifying the gateways', async () => {
    const { id } = Made.parse((await post({ name: 'storefront', kind: 'publishable', permissions: [] })).body)
    expect(await revoke(id)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await list()).toMatchObject([{ id, revokedAt: NOW }])
    expect(await redis.exists(revokedKey(shop.suite.namespace, id))).toBe(0)
  })
})

describe('the gateway', () => {
  test('finds a key by its digest until it expires', async () => {
    const expiresAt = new Date(clock.now().getTime() + MINUTE_MS).toISOString()
    const { id, key } = await make({ expiresAt: expiresAt.replace('Z', '+00:00') })
    expect(await find(key)).toEqual({ id, permissions: ['inventory:write'], expiresAt })
    expect(await find(`${key.slice(0, -1)}!`)).toBeUndefined()
    expect(await isValid(id)).toBe(true)
    clock.advance(MINUTE_MS)
    expect(await find(key)).toBeUndefined()
    expect(await isValid(id)).toBe(false)
    expect(await isValid('key_unknown')).toBe(false)
  })

  test('records the last use, at most once a minute', async () => {
    const { key } = await make()
    const lastUsed = async () => (await list())[0]?.lastUsedAt
    const first = clock.now().toISOString()
    await Promise.all([find(key), find(key), find(key)])
    await waitFor('the use to be recorded', async () => (await lastUsed()) === first)
    clock.advance(MINUTE_MS - 1)
    await find(key)
    clock.advance(1)
    const second = clock.now().toISOString()
    // If the previous request had recorded a use, this use would come too early to be recorded.
    await find(key)
    await waitFor('the second use to be recorded', async () => (await lastUsed()) === second)
  })
})

describe('revoking', () => {
  test('ends a key at once, in the table and in Redis, also one with more permissions than the caller', async () => {
    const expiresAt = new Date(clock.now().getTime() + DAY_MS).toISOString()
    const confirmation = { expiresAt, currentPassword: ADMIN.password }
    const { id, key } = await make({ permissions: [...PERMISSIONS], ...confirmation })
    expect(await revoke(id, shop.asAdmin('user_2', ['admins:write']))).toMatchObject({
      status: 200,
      body: { ok: true },
    })
    expect(await find(key)).toBeUndefined()
    expect(await isValid(id)).toBe(false)
    const hours = (await redis.ttl(revokedKey(shop.suite.namespace, id))) / 3600
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.1)
  })

  test('repeatedly succeeds and changes nothing; an unknown key is not found', async () => {
    const { id } = await make()
    const at = clock.now().toISOString()
    await revoke(id)
    clock.advance(MINUTE_MS)
    expect(await revoke(id)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await list()).toMatchObject([{ revokedAt: at }])
    for (const unknown of ['key_unknown', '%00', 'x'.repeat(201)]) {
      expect([404, 422]).toContain((await revoke(unknown)).status)
    }
    expect(errorOf(await revoke('key_unknown'))).toEqual({ status: 404, code: 'not_found' })
  })

  test('is restored for a day in a Redis that lost everything', async () => {
    const [recent, old] = [await make(), await make()]
    await revoke(old.id)
    clock.advance(DAY_MS)
    await revoke(recent.id)
    const names = [recent, old].map(({ id }) => revokedKey(shop.suite.namespace, id))
    const own = await redis.keys(`${shop.suite.namespace}:*`)
    expect(own).toContain(names[0])
    await redis.del(...own)
    await waitFor('the revocation to be restored', async () => (await redis.exists(names[0] ?? '')) === 1)
    await waitFor('the mark', async () => (await redis.exists(`${shop.suite.namespace}:revocations-shared`)) === 1)
    expect(await redis.exists(names[1] ?? '')).toBe(0)
  })
})

test('a revoked or expired key stays in the list for 90 days', async () => {
  const { id: revoked } = await make()
  const { id: expiring } = await make({ expiresAt: new Date(clock.now().getTime() + DAY_MS).toISOString() })
  const { id: lasting } = await make()
  await revoke(revoked)
  const kept = async (): Promise<string[]> => {
    await followRule(RETENTION['old API keys'], { db, clock })
    return (await list()).map(({ id }) => id).toSorted()
  }
  clock.advance(90 * DAY_MS)
  expect(await kept()).toEqual([revoked, expiring, lasting].toSorted())
  clock.advance(1)
  expect(await kept()).toEqual([expiring, lasting].toSorted())
  clock.advance(DAY_MS)
  expect(await kept()).toEqual([lasting])
})
