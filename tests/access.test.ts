import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Cart, Customer, PERMISSIONS, ROLE_PERMISSIONS, type AdminRole, type Permission } from '@storefront/contracts'
import { accessPage, readAccess, type ServiceRoute } from '@storefront/tools/access'
import { amount, waitFor } from '@storefront/tools/testing'
import { openShop, type TestShop } from './support/shop.ts'
import { ADDRESS, type TestClient } from './support/test-client.ts'

/** What the access check of a route returns. Later errors, such as 404 or 422, do not concern access. */
type AccessResult = 'open' | 401 | 403

interface Caller {
  name: string
  token: string | undefined
  accessTo: (route: ServiceRoute) => AccessResult
}

const PASSWORD = 'correct horse battery'
/** Each route is tried with one or two of the keys that lack its scope; in a long run with all of them. */
const FOREIGN_PARTS = amount({ quick: 8, long: 1 })
/** Each route is tried with one of the five tokens that are no longer valid; in a long run with all of them. */
const INVALID_PARTS = amount({ quick: 5, long: 1 })
/**
 * Of the routes of a service with the same access, a caller with rights tries a fifth, and an anonymous one all: the
 * keys with and without its scope show the access of each route.
 */
const ALIKE_PARTS = amount({ quick: 5, long: 1 })
const ROLES: readonly AdminRole[] = ['owner', 'merchandiser', 'fulfilment', 'support']

let shop: TestShop
let routes: ServiceRoute[]
let customer: TestClient

beforeAll(async () => {
  shop = await openShop()
  routes = await readAccess(shop.shop.services)
  customer = await registered('ada@mail.example')
})
afterAll(() => shop.stop())

async function registered(email: string): Promise<TestClient> {
  const client = shop.client()
  await client.register(email)
  return client
}

const Token = z.object({ token: z.string() })
const Key = z.object({ id: z.string(), key: z.string() })

async function adminToken(role: AdminRole, email = `${role}-${++users}@mail.example`): Promise<string> {
  const currentPassword = shop.shop.adminPassword
  const made = await shop.admin.post('/admin/users', { email, name: role, role, password: PASSWORD, currentPassword })
  expect(made.status).toBe(200)
  return Token.parse((await shop.client().post('/admin/auth/login', { email, password: PASSWORD })).body).token
}
let users = 0

async function makeKey(permissions: readonly Permission[], more: object = {}): Promise<{ id: string; key: string }> {
  const expiresAt = new Date(Date.now() + 3600_000).toISOString()
  const confirmation = { expiresAt, currentPassword: shop.shop.adminPassword }
  const response = await shop.admin.post('/admin/api-keys', { name: 'a key', permissions, ...confirmation, ...more })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return Key.parse(response.body)
}

async function publishableKey(): Promise<string> {
  return Key.parse((await shop.admin.post('/admin/api-keys', { name: 'the storefront', kind: 'publishable' })).body).key
}

/** Without rights public routes are open, and all others require a sign-in. */
const asAnonymous: Caller['accessTo'] = ({ access }) => (access === 'public' ? 'open' : 401)

function asAdmin(permissions: readonly Permission[], { person }: { person: boolean }): Caller['accessTo'] {
  return ({ access }) => {
    if (access === 'public') return 'open'
    if (access === 'customer') return 401
    if (typeof access === 'object') return permissions.includes(access.admin) ? 'open' : 403
    return person ? 'open' : 403
  }
}

/** Moves the routes that end the caller's session to the end. */
function inOrder(all: readonly ServiceRoute[]): ServiceRoute[] {
  const ends = ({ path }: ServiceRoute) => path.endsWith('/logout') || path === '/admin/console/session'
  return [...all.filter((route) => !ends(route)), ...all.filter(ends)]
}

async function tryRoute(route: ServiceRoute, token: string | undefined): Promise<AccessResult> {
  const path = route.path.replaceAll(/:\w+|\*/g, 'none')
  const client = shop.client()
  client.token = token
  const sends = route.method !== 'GET'
  const { status } = await client.exchange(route.method, path, sends ? '"nonsense"' : undefined)
  expect(status, `${route.method} ${route.path}`).toBeLessThan(500)
  return status === 401 || status === 403 ? status : 'open'
}

async function expectAccess({ token, accessTo }: Caller, tried: readonly ServiceRoute[] = routes): Promise<void> {
  const wrong: string[] = []
  for (const route of inOrder(tried)) {
    const found = await tryRoute(route, token)
    const expected = accessTo(route)
    if (found !== expected) wrong.push(`${route.method} ${route.path}: ${found} and not ${expected}`)
  }
  expect(wrong).toEqual([])
}

/** The next part of the routes. */
function someRoutes(): ServiceRoute[] {
  const part = parts++ % INVALID_PARTS
  return routes.filter((_route, index) => index % INVALID_PARTS === part)
}
let parts = 0

/** A part of the routes of each service with the same access; the next call selects others. */
function routesOfEachAccess(): ServiceRoute[] {
  const turn = alikeTurn++
  const seen = new Map<string, number>()
  return routes.filter(({ service, access }) => {
    const kind = JSON.stringify([service, access])
    const before = seen.get(kind) ?? turn
    seen.set(kind, before + 1)
    return before % ALIKE_PARTS === 0
  })
}
let alikeTurn = 0

test('docs/access.md matches the running system', async () => {
  const page = await readFile(join(import.meta.dirname, '../docs/access.md'), 'utf8')
  expect(page, 'run npm run access, which updates this file').toBe(accessPage(routes))
  expect(routes.length).toBeGreaterThan(100)
})

test('every route that a service has is reached through the gateway, and no internal route is', async () => {
  const lost: string[] = []
  // A path with a wildcard may return not_found for a resource that does not exist.
  for (const route of routes.filter(({ path }) => !path.includes('*'))) {
    const client = shop.client()
    const { text } = await client.exchange('PUT', route.path.replaceAll(/:\w+|\*/g, 'none'))
    if (text.includes('"not_found"')) lost.push(route.path)
  }
  expect(lost).toEqual([])
  for (const path of ['/internal/openapi.json', '/internal/access.json', '/catalog/internal/access.json']) {
    expect((await shop.client().get(path)).status).toBe(404)
  }
})

describe('access to routes:', () => {
  test('an anonymous client can call public routes only', () =>
    expectAccess({ name: 'anonymous', token: undefined, accessTo: asAnonymous }))

  test('a storefront with a publishable key can call public routes only', async () => {
    const token = await publishableKey()
    const underAdmin = ({ path }: ServiceRoute) =>
      path.startsWith('/admin/') && !['/admin/auth/login', '/admin/console/session'].includes(path)
    const accessTo: Caller['accessTo'] = (route) => (underAdmin(route) ? 403 : asAnonymous(route))
    await expectAccess({ name: 'pk', token, accessTo }, routesOfEachAccess())
  })

  test('a customer can call public routes and those for customers', async () => {
    const accessTo: Caller['accessTo'] = ({ access }) => (access === 'public' || access === 'customer' ? 'open' : 403)
    const { token } = await registered('eve@mail.example')
    await expectAccess({ name: 'customer', token, accessTo }, routesOfEachAccess())
  })

  test.each(ROLES)('an admin with the role %s can call the routes of that role', async (role) => {
    const accessTo = asAdmin(ROLE_PERMISSIONS[role], { person: true })
    await expectAccess({ name: role, token: await adminToken(role), accessTo }, routesOfEachAccess())
  })

  test.each(PERMISSIONS)('a secret key needs the scope %s for its routes', async (permission) => {
    const requiresScope = ({ access }: ServiceRoute) => typeof access === 'object' && access.admin === permission
    const itsRoutes = routes.filter(requiresScope)
    // In a quick run each key tries another part of the routes of other scopes.
    const turn = PERMISSIONS.indexOf(permission)
    const foreign = routes.filter(
      (route, index) => !requiresScope(route) && index % FOREIGN_PARTS === turn % FOREIGN_PARTS,
    )
    const alone = await makeKey([permission])
    const asAlone = asAdmin([permission], { person: false })
    await expectAccess({ name: 'sk', token: alone.key, accessTo: asAlone }, [...itsRoutes, ...foreign])
    const others = PERMISSIONS.filter((other) => other !== permission)
    const without = await makeKey(others)
    const tried = amount({ quick: itsRoutes, long: routes })
    await expectAccess({ name: 'sk', token: without.key, accessTo: asAdmin(others, { person: false }) }, tried)
  })

  test('a secret key that has expired or was revoked can call public routes only', async () => {
    const products = routes.find(({ method, path }) => method === 'GET' && path === '/admin/products')
    if (!products) throw new Error('no route')
    // Long enough to be used once before, also on a busy machine.
    const expired = await makeKey(PERMISSIONS, { expiresAt: new Date(Date.now() + 3000).toISOString() })
    expect(await tryRoute(products, expired.key)).toBe('open')
    const revoked = await makeKey(PERMISSIONS)
    expect(await tryRoute(products, revoked.key)).toBe('open')
    expect((await shop.admin.call('DELETE', `/admin/api-keys/${revoked.id}`)).status).toBe(200)
    await waitFor('the key to expire', async () => (await tryRoute(products, expired.key)) === 401)
    for (const { key } of [expired, revoked]) {
      await expectAccess({ name: 'sk', token: key, accessTo: asAnonymous }, someRoutes())
    }
  })

  test('a customer and an admin who signed out can call public routes only', async () => {
    const gone = await registered('gone@mail.example')
    const token = await adminToken('owner')
    for (const [path, one] of [
      ['/auth/logout', gone.token],
      ['/admin/auth/logout', token],
    ] as const) {
      const client = shop.client()
      client.token = one
      expect((await client.post(path)).status).toBe(200)
      await expectAccess({ name: 'signed out', token: one, accessTo: asAnonymous }, someRoutes())
    }
  })

  test('an admin who was disabled can call public routes only', async () => {
    const email = 'disabled@mail.example'
    const token = await adminToken('owner', email)
    const { body } = await shop.admin.get('/admin/users')
    const { items } = z.object({ items: z.array(z.object({ id: z.string(), email: z.string() })) }).parse(body)
    const id = items.find((user) => user.email === email)?.id ?? ''
    const disabling = { disabled: true, currentPassword: shop.shop.adminPassword }
    expect((await shop.admin.call('PATCH', `/admin/users/${id}`, disabling)).status).toBe(200)
    await expectAccess({ name: 'disabled', token, accessTo: asAnonymous }, someRoutes())
  })
})

test('the records of one customer do not exist for another', async () => {
  const other = await registered('other@mail.example')
  const product = await shop.stockProduct('private-shirt', 10)
  const variantId = product.variants[0]?.id ?? ''
  const { addresses } = Customer.parse((await customer.post('/me/addresses', ADDRESS)).body)
  const address = `/me/addresses/${addresses[0]?.id}`
  const order = await customer.buy(variantId)
  const shopper = await registered('shopper@mail.example')
  const cart = await shopper.cartWith(variantId)
  const cartPath = `/carts/${cart.id}`

  const foreign: [string, string, unknown?][] = [
    ['PATCH', address, { city: 'Paris' }],
    ['DELETE', address],
    ['GET', `/orders/${order.id}`],
    ['GET', `/orders/${order.number}`],
    ['GET', cartPath],
    ['POST', `${cartPath}/lines`, { variant_id: variantId, quantity: 1 }],
    ['PATCH', `${cartPath}/lines/${cart.lines[0]?.id}`, { quantity: 5 }],
    ['DELETE', `${cartPath}/lines/${cart.lines[0]?.id}`],
    ['DELETE', `${cartPath}/lines`],
    [
      'POST',
      `${cartPath}/checkout`,
      { email: 'x@mail.example', shipping_address: ADDRESS, shipping_method: 'standard' },
    ],
  ]
  for (const [method, path, body] of foreign) {
    for (const client of [other, shop.client()]) {
      const { status } = await client.call(method, path, body)
      expect([401, 404], `${method} ${path}`).toContain(status)
    }
  }
  expect(Customer.parse((await customer.get('/me')).body).addresses).toHaveLength(1)
  expect(Cart.parse((await shopper.get(cartPath)).body).lines).toEqual(cart.lines)
  expect((await customer.get(`/orders/${order.id}`)).status).toBe(200)
  expect((await other.get('/orders')).body).toMatchObject({ items: [], total: 0 })
})
