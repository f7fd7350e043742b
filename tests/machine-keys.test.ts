import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'
import type { TestClient } from './support/test-client.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openShopOfProcesses({ ownServers: true })
})

afterAll(() => shop.stop())

const Key = z.object({ id: z.string(), key: z.string() })

/** Somebody who shows a key, with its id. */
async function machine(permissions: string[], changes: object = {}): Promise<{ id: string; client: TestClient }> {
  const { body } = await shop.admin.post('/admin/api-keys', { name: 'a machine', permissions, ...changes })
  const { id, key } = Key.parse(body)
  const client = shop.client()
  client.token = key
  return { id, client }
}

/** What a key takes that leads to the users of the shop. */
const protection = () => ({
  expiresAt: new Date(Date.now() + 3600_000).toISOString(),
  currentPassword: shop.shop.adminPassword,
})

const statusOf = async (client: TestClient, path: string) => (await client.get(path)).status

/** The gateway takes whoever it cannot ask about for nobody: on a busy machine a yes may need another try. */
const isLetIn = (client: TestClient, path: string) =>
  waitFor(`a yes of ${path}`, async () => (await statusOf(client, path)) === 200)

/** Without Redis a gateway hears of it over NATS, which may come after the answer to whoever has ended it. */
async function isTurnedAway(client: TestClient): Promise<void> {
  const path = '/admin/webhooks/deliveries'
  await waitFor(`a no of ${path}`, async () => (await statusOf(client, path)) === 401)
  for (let round = 0; round < 20; round++) expect(await statusOf(client, path)).toBe(401)
}

describe('a secret key', () => {
  test('may do what it was made for, is a stranger to customers, and shops like anybody', async () => {
    const { client } = await machine(['webhooks:write'])
    await isLetIn(client, '/admin/webhooks/deliveries')
    expect(await statusOf(client, '/admin/api-keys')).toBe(403)
    expect(await statusOf(client, '/me')).toBe(401)
    expect(await statusOf(client, '/products')).toBe(200)
    expect((await client.post('/carts', {})).status).toBe(200)
  })

  test('makes no key that may do more than itself', async () => {
    const { client } = await machine(['admins:write', 'webhooks:write'], protection())
    const make = (permissions: string[]) => client.post('/admin/api-keys', { name: 'another', permissions })
    await waitFor('the other key', async () => (await make(['webhooks:write'])).status === 200)
    expect((await make(['webhooks:write', 'orders:write'])).status).toBe(403)
  })

  test('ends at the moment when it is revoked, and the list says when it was used', async () => {
    const { id, client } = await machine(['webhooks:write'])
    await isLetIn(client, '/admin/webhooks/deliveries')
    await waitFor('the note of its use', async () => {
      const { body } = await shop.admin.get('/admin/api-keys')
      const { items } = z.object({ items: z.array(z.looseObject({ id: z.string() })) }).parse(body)
      return typeof items.find((item) => item.id === id)?.['lastUsedAt'] === 'string'
    })
    expect((await shop.admin.call('DELETE', `/admin/api-keys/${id}`)).status).toBe(200)
    expect(await statusOf(client, '/admin/webhooks/deliveries')).toBe(401)
  })

  test('ends at every service at the moment when its maker is disabled or removed', async () => {
    const password = 'quite a long password'
    const currentPassword = shop.shop.adminPassword
    for (const way of ['disable', 'remove', 'demote']) {
      const email = `${way}@mail.example`
      const user = { email, name: 'Grace', role: 'owner', password, currentPassword }
      const { id } = z.object({ id: z.string() }).parse((await shop.admin.post('/admin/users', user)).body)
      const grace = shop.client()
      await grace.signInAsAdmin(email, password)
      const made = await grace.post('/admin/api-keys', { name: 'hers', permissions: ['webhooks:write'] })
      const client = shop.client()
      client.token = Key.parse(made.body).key
      await isLetIn(client, '/admin/webhooks/deliveries')
      const path = `/admin/users/${id}`
      const change = way === 'disable' ? { disabled: true } : { role: 'support' }
      const ended =
        way === 'remove'
          ? await shop.admin.call('DELETE', path, { currentPassword })
          : await shop.admin.call('PATCH', path, { ...change, currentPassword })
      expect(ended).toMatchObject({ status: 200, body: { revokedKeys: 1 } })
      expect(await statusOf(client, '/admin/webhooks/deliveries'), way).toBe(401)
    }
  })

  test('that was revoked stays so while Redis is gone, and one that was not goes on', async () => {
    const [good, revoked] = [await machine(['webhooks:write']), await machine(['webhooks:write'])]
    for (const { client } of [good, revoked]) await isLetIn(client, '/admin/webhooks/deliveries')
    await shop.shop.infrastructure.redis.stop()
    try {
      const revoke = () => shop.admin.call('DELETE', `/admin/api-keys/${revoked.id}`)
      await waitFor('the key to be revoked', async () => (await revoke()).status === 200)
      await isTurnedAway(revoked.client)
      await isLetIn(good.client, '/admin/webhooks/deliveries')
    } finally {
      await shop.shop.infrastructure.redis.start()
    }
    await isTurnedAway(revoked.client)
    await isLetIn(good.client, '/admin/webhooks/deliveries')
  })
})

test('a publishable key is worth an anonymous visitor', async () => {
  const { client } = await machine([], { kind: 'publishable' })
  expect(await statusOf(client, '/products')).toBe(200)
  expect(await statusOf(client, '/me')).toBe(401)
  expect(await statusOf(client, '/admin/webhooks/deliveries')).toBe(403)
})

test('a customer is no admin, and an admin is no customer', async () => {
  const customer = shop.client()
  await customer.register('no-admin@example.com')
  await isLetIn(customer, '/me')
  expect(await statusOf(customer, '/admin/webhooks/deliveries')).toBe(403)
  await isLetIn(shop.admin, '/admin/webhooks/deliveries')
  expect(await statusOf(shop.admin, '/me')).toBe(401)
})

test('who signed out stays signed out when Redis forgets everything', async () => {
  const customer = shop.client()
  await customer.register('signed-out@example.com')
  await isLetIn(customer, '/me')
  await customer.post('/auth/logout')
  const redis = new Redis(shop.shop.infrastructure.redis.url)
  await redis.flushall()
  redis.disconnect()
  for (let round = 0; round < 50; round++) expect(await statusOf(customer, '/me')).toBe(401)
})

describe('the keys that tokens are signed with', () => {
  const Rotated = z.object({ kid: z.string(), signsFrom: z.string() })
  const kidsOf = (body: unknown) =>
    z
      .object({ keys: z.array(z.object({ kid: z.string() })) })
      .parse(body)
      .keys.map(({ kid }) => kid)
  const kidOf = ({ token = '' }: TestClient) =>
    z.object({ kid: z.string() }).parse(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).kid

  test('are rotated without signing anybody out', async () => {
    const before = shop.client()
    await before.register('before@example.com')
    const { kid } = Rotated.parse((await shop.admin.post('/admin/signing-keys/rotate')).body)
    expect(kidsOf((await before.get('/.well-known/jwks.json')).body)).toContain(kid)
    // As if its head start were over.
    await shop.sql('update identity.signing_keys set signs_from = now() where kid = $1', [kid])
    const after = shop.client()
    await after.register('after@example.com')
    expect(kidOf(after)).toBe(kid)
    for (const client of [before, after]) await isLetIn(client, '/me')
    await isLetIn(shop.admin, '/admin/signing-keys')
  })

  test('are withdrawn after a leak: everybody is signed out and can sign in again, machines go on', async () => {
    const customer = shop.client()
    await customer.register('leaked@example.com')
    const { client } = await machine(['webhooks:write'])
    for (const path of ['/me', '/orders']) await isLetIn(customer, path)
    const { kid } = Rotated.parse((await shop.admin.post('/admin/signing-keys/rotate', { revokePrevious: true })).body)
    await waitFor('the gateway to hear of it', async () => (await statusOf(customer, '/me')) === 401)
    expect(await statusOf(shop.admin, '/admin/webhooks/deliveries')).toBe(401)
    expect(kidsOf((await customer.get('/.well-known/jwks.json')).body)).toEqual([kid])
    await isLetIn(client, '/admin/webhooks/deliveries')
    await shop.admin.signInAsAdmin(shop.shop.adminEmail, shop.shop.adminPassword)
    await isLetIn(shop.admin, '/admin/webhooks/deliveries')
  })
})
