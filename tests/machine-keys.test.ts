import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import { openShop, type TestShop } from './support/shop.ts'
import type { TestClient } from './support/test-client.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openShop({ ownRedis: true })
})

afterAll(() => shop.stop())

const Key = z.object({ id: z.string(), key: z.string() })

/** A client with a new key, and the id of the key. */
async function machine(permissions: string[], changes: object = {}): Promise<{ id: string; client: TestClient }> {
  const { body } = await shop.admin.post('/admin/api-keys', { name: 'a machine', permissions, ...changes })
  const { id, key } = Key.parse(body)
  const client = shop.client()
  client.token = key
  return { id, client }
}

/** What a key needs when its permissions include the users of the shop. */
const protection = () => ({
  expiresAt: new Date(Date.now() + 3600_000).toISOString(),
  currentPassword: shop.shop.adminPassword,
})

const statusOf = async (client: TestClient, path: string) => (await client.get(path)).status

/**
 * The gateway treats a caller that it cannot verify in time as anonymous, so a busy machine may need another attempt.
 */
const waitUntilAccepted = (client: TestClient, path: string) =>
  waitFor(`access to ${path}`, async () => (await statusOf(client, path)) === 200)

/**
 * Without Redis the end of a key reaches the gateway over NATS, maybe after the response to the request that ended it.
 */
async function waitUntilRejected(client: TestClient): Promise<void> {
  const path = '/admin/webhooks/deliveries'
  await waitFor(`a rejection by ${path}`, async () => (await statusOf(client, path)) === 401)
  for (let round = 0; round < 20; round++) expect(await statusOf(client, path)).toBe(401)
}

describe('a secret key', () => {
  test('has its permissions, no customer account, and access to public routes', async () => {
    const { client } = await machine(['webhooks:write'])
    await waitUntilAccepted(client, '/admin/webhooks/deliveries')
    expect(await statusOf(client, '/admin/api-keys')).toBe(403)
    expect(await statusOf(client, '/me')).toBe(401)
    expect(await statusOf(client, '/products')).toBe(200)
    expect((await client.post('/carts', {})).status).toBe(200)
  })

  test('cannot create a key with more permissions than its own', async () => {
    const { client } = await machine(['admins:write', 'webhooks:write'], protection())
    const make = (permissions: string[]) => client.post('/admin/api-keys', { name: 'another', permissions })
    await waitFor('the other key', async () => (await make(['webhooks:write'])).status === 200)
    expect((await make(['webhooks:write', 'orders:write'])).status).toBe(403)
  })

  test('stops working as soon as it is revoked, and the list shows its last use', async () => {
    const { id, client } = await machine(['webhooks:write'])
    await waitUntilAccepted(client, '/admin/webhooks/deliveries')
    await waitFor('its use to be recorded', async () => {
      const { body } = await shop.admin.get('/admin/api-keys')
      const { items } = z.object({ items: z.array(z.looseObject({ id: z.string() })) }).parse(body)
      return typeof items.find((item) => item.id === id)?.['lastUsedAt'] === 'string'
    })
    expect((await shop.admin.call('DELETE', `/admin/api-keys/${id}`)).status).toBe(200)
    expect(await statusOf(client, '/admin/webhooks/deliveries')).toBe(401)
  })

  test('stops working as soon as its creator is disabled, removed or demoted', async () => {
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
      await waitUntilAccepted(client, '/admin/webhooks/deliveries')
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

  test('that was revoked stays revoked while Redis is down, and a valid one keeps working', async () => {
    const [good, revoked] = [await machine(['webhooks:write']), await machine(['webhooks:write'])]
    for (const { client } of [good, revoked]) await waitUntilAccepted(client, '/admin/webhooks/deliveries')
    await shop.shop.infrastructure.redis.stop()
    try {
      const revoke = () => shop.admin.call('DELETE', `/admin/api-keys/${revoked.id}`)
      await waitFor('the key to be revoked', async () => (await revoke()).status === 200)
      await waitUntilRejected(revoked.client)
      await waitUntilAccepted(good.client, '/admin/webhooks/deliveries')
    } finally {
      await shop.shop.infrastructure.redis.start()
    }
    await waitUntilRejected(revoked.client)
    await waitUntilAccepted(good.client, '/admin/webhooks/deliveries')
  })
})

test('a publishable key has the access of an anonymous visitor', async () => {
  const { client } = await machine([], { kind: 'publishable' })
  // Until the gateway has verified the key, its caller is rejected like one without a key.
  await waitFor('the key', async () => (await statusOf(client, '/admin/webhooks/deliveries')) === 403)
  expect(await statusOf(client, '/products')).toBe(200)
  expect(await statusOf(client, '/me')).toBe(401)
  expect(await statusOf(client, '/admin/webhooks/deliveries')).toBe(403)
})

test('a customer has no access for admins, and an admin none for customers', async () => {
  const customer = shop.client()
  await customer.register('no-admin@example.com')
  await waitUntilAccepted(customer, '/me')
  expect(await statusOf(customer, '/admin/webhooks/deliveries')).toBe(403)
  await waitUntilAccepted(shop.admin, '/admin/webhooks/deliveries')
  expect(await statusOf(shop.admin, '/me')).toBe(401)
})

test('a customer who signed out stays signed out when Redis loses all data', async () => {
  const customer = shop.client()
  await customer.register('signed-out@example.com')
  await waitUntilAccepted(customer, '/me')
  await customer.post('/auth/logout')
  const redis = new Redis(shop.shop.infrastructure.redis.url)
  await redis.flushall()
  redis.disconnect()
  for (let round = 0; round < 50; round++) expect(await statusOf(customer, '/me')).toBe(401)
})

describe('the keys that sign tokens', () => {
  const Rotated = z.object({ kid: z.string(), signsFrom: z.string() })
  const kidsOf = (body: unknown) =>
    z
      .object({ keys: z.array(z.object({ kid: z.string() })) })
      .parse(body)
      .keys.map(({ kid }) => kid)
  const kidOf = ({ token = '' }: TestClient) =>
    z.object({ kid: z.string() }).parse(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).kid

  test('are rotated without signing out any user', async () => {
    const before = shop.client()
    await before.register('before@example.com')
    const { kid } = Rotated.parse((await shop.admin.post('/admin/signing-keys/rotate')).body)
    expect(kidsOf((await before.get('/.well-known/jwks.json')).body)).toContain(kid)
    // Ends the wait before the new key signs.
    await shop.sql('update identity.signing_keys set signs_from = now() where kid = $1', [kid])
    const after = shop.client()
    await after.register('after@example.com')
    expect(kidOf(after)).toBe(kid)
    for (const client of [before, after]) await waitUntilAccepted(client, '/me')
    await waitUntilAccepted(shop.admin, '/admin/signing-keys')
  })

  test('are withdrawn after a leak: all users must sign in again, and secret keys keep working', async () => {
    const customer = shop.client()
    await customer.register('leaked@example.com')
    const { client } = await machine(['webhooks:write'])
    for (const path of ['/me', '/orders']) await waitUntilAccepted(customer, path)
    const { kid } = Rotated.parse((await shop.admin.post('/admin/signing-keys/rotate', { revokePrevious: true })).body)
    await waitFor('the gateway to reject the token', async () => (await statusOf(customer, '/me')) === 401)
    expect(await statusOf(shop.admin, '/admin/webhooks/deliveries')).toBe(401)
    expect(kidsOf((await customer.get('/.well-known/jwks.json')).body)).toEqual([kid])
    await waitUntilAccepted(client, '/admin/webhooks/deliveries')
    await shop.admin.signInAsAdmin(shop.shop.adminEmail, shop.shop.adminPassword)
    await waitUntilAccepted(shop.admin, '/admin/webhooks/deliveries')
  })
})
