import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BulkEdit, Order, PERMISSIONS, type ActivityKind } from '@storefront/contracts'
import { readAccess, type ServiceRoute } from '@storefront/tools/access'
import { waitFor } from '@storefront/tools/testing'
import { holdLock } from './support/hold-lock.ts'
import { openShop, type TestShop } from './support/shop.ts'
import { ORIGIN, type TestResponse, type TestClient } from './support/test-client.ts'

const PASSWORD = 'quite a long password'
const EMAIL = 'grace@mail.example'
const NAME = 'Grace Hopper'
const ROBOT = 'Robot'

let shop: TestShop
/** A second owner, beside the first admin user. */
let grace: TestClient
let graceId: string
/** A secret key with all permissions. */
let robot: TestClient
/** Signed in by its cookie. */
let consoleUser: TestClient
let robotId: string
/** The client that makes the calls: the key first, then Grace. */
let caller: TestClient
let round = 0
let routes: ServiceRoute[]

beforeAll(async () => {
  shop = await openShop()
  const user = { email: EMAIL, name: NAME, role: 'owner', password: PASSWORD, currentPassword: shop.shop.adminPassword }
  graceId = idOf(await shop.admin.post('/admin/users', user))
  grace = shop.client()
  await grace.signInAsAdmin(EMAIL, PASSWORD)
  const expiresAt = new Date(Date.now() + 3600_000).toISOString()
  const confirmation = { expiresAt, currentPassword: shop.shop.adminPassword }
  const key = await shop.admin.post('/admin/api-keys', { name: ROBOT, permissions: PERMISSIONS, ...confirmation })
  robotId = idOf(key)
  robot = shop.client()
  consoleUser = shop.client()
  robot.token = z.object({ key: z.string() }).parse(key.body).key
  routes = await readAccess(shop.shop.services)
  await shop.admin.post('/admin/import', {
    mode: 'merge',
    categories: [{ slug: 'hats', name: 'Hats' }],
    reviews: ['rev_a0', 'rev_b0', 'rev_a1', 'rev_b1'].map((id) => ({
      id,
      product: 'linen-shirt',
      author: 'Ada',
      rating: 5,
      body: 'Good.',
    })),
    products: [shirt('linen-shirt')],
  })
})
afterAll(() => shop.stop())

function shirt(slug: string) {
  return {
    slug,
    title: `Shirt ${slug}`,
    price: { amount: 4000, currency: 'USD' },
    options: [{ name: 'Size', values: ['M'] }],
    variants: [{ sku: slug.toUpperCase(), options: { Size: 'M' }, inventory: 50 }],
  }
}

const Identified = z.object({ id: z.string() })
const idOf = ({ status, body }: TestResponse): string => {
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return Identified.parse(body).id
}

const Activity = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      service: z.string(),
      actor: z.looseObject({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
      action: z.string(),
      subject: z.object({ kind: z.string(), id: z.string(), name: z.string().optional() }),
      summary: z.string().regex(/\.$/),
    }),
  ),
  total: z.int(),
  incomplete: z.array(z.string()),
  nextCursor: z.string().optional(),
})
const activity = async (query = '', client = shop.admin) => {
  const { status, body } = await client.get(`/admin/activity${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return Activity.parse(body)
}

/** How a write is called, and what its entry is about. Writes about one thing are in the order in which they work. */
interface Write {
  about: ActivityKind
  /** For admin users only: a secret key cannot do it. */
  byPersonOnly?: true
  call: () => Promise<TestResponse>
}

const made = new Map<string, string>()
const id = (name: string): string => made.get(name) ?? `${name} was not made`
/** Keeps the id that a call returns. */
const keep = async (name: string, response: Promise<TestResponse>): Promise<TestResponse> => {
  const got = await response
  made.set(name, idOf(got))
  return got
}
const send = (method: string, path: string, body?: unknown) => caller.call(method, path, body)

const WRITES: Record<string, Write> = {
  'POST /admin/api-keys': {
    about: 'api-key',
    call: () => keep('key', send('POST', '/admin/api-keys', { name: 'ERP', permissions: ['orders:read'] })),
  },
  'DELETE /admin/api-keys/:id': { about: 'api-key', call: () => send('DELETE', `/admin/api-keys/${id('key')}`) },

  'POST /admin/categories': {
    about: 'category',
    call: () => send('POST', '/admin/categories', { slug: 'coats', name: 'Coats' }),
  },
  'DELETE /admin/categories/:slug': { about: 'category', call: () => send('DELETE', '/admin/categories/coats') },
  'POST /admin/collections': {
    about: 'collection',
    call: () => send('POST', '/admin/collections', { slug: 'summer', title: 'Summer', products: ['linen-shirt'] }),
  },
  'DELETE /admin/collections/:slug': { about: 'collection', call: () => send('DELETE', '/admin/collections/summer') },
  'POST /admin/credentials': {
    about: 'credentials',
    call: () => send('POST', '/admin/credentials', { stripeSecretKey: '' }),
  },

  'POST /admin/discounts': {
    about: 'discount',
    call: () => send('POST', '/admin/discounts', { code: 'TEN', kind: 'percent', value: 10, categories: ['hats'] }),
  },
  'PATCH /admin/discounts/:code': {
    about: 'discount',
    call: () => send('PATCH', '/admin/discounts/TEN', { value: 20 }),
  },
  'DELETE /admin/discounts/:code': { about: 'discount', call: () => send('DELETE', '/admin/discounts/TEN') },

  'POST /admin/import': {
    about: 'import',
    call: () => send('POST', '/admin/import', { mode: 'merge', products: [shirt(`wool-shirt-${round}`)] }),
  },
  'DELETE /admin/import/:id': { about: 'import', call: cancelImport },
  'POST /admin/library/:kind': {
    about: 'library-item',
    call: () =>
      keep('card', send('POST', '/admin/library/features', { icon: 'leaf', title: 'Linen', body: 'From Belgium' })),
  },
  'DELETE /admin/library/:kind/:id': {
    about: 'library-item',
    call: () => send('DELETE', `/admin/library/features/${id('card')}`),
  },
  'POST /admin/media': { about: 'media', call: uploadPicture },
  'PATCH /admin/media/:id': {
    about: 'media',
    call: () => send('PATCH', `/admin/media/${id('picture')}`, { alt: `A picture, round ${round}` }),
  },
  'DELETE /admin/media/:id': { about: 'media', call: () => send('DELETE', `/admin/media/${id('picture')}`) },

  'POST /admin/notifications/test': {
    about: 'mail',
    call: () => send('POST', '/admin/notifications/test', { to: 'ada@mail.example' }),
  },
  'POST /admin/notifications/:id/resend': { about: 'mail', call: resendMail },

  'POST /admin/orders': {
    about: 'order',
    call: async () => {
      const cart = await shop.client().cartWith(await variantOf('linen-shirt'), 2)
      const payment = { provider: 'manual', status: 'captured' }
      return keep('order', send('POST', '/admin/orders', { cart_id: cart.id, email: 'ada@mail.example', payment }))
    },
  },
  'POST /admin/draft-orders': {
    about: 'draft-order',
    call: async () => {
      const lines = [{ variantId: await variantOf('linen-shirt'), quantity: 1 }]
      const shippingAddress = {
        name: 'Ada',
        line1: '1 Way',
        city: 'LA',
        region: 'CA',
        postalCode: '90001',
        country: 'US',
      }
      const draft = { lines, email: 'ada@mail.example', shippingAddress }
      return keep('draft', send('POST', '/admin/draft-orders', draft))
    },
  },
  'PATCH /admin/draft-orders/:id': {
    about: 'draft-order',
    call: () => send('PATCH', `/admin/draft-orders/${id('draft')}`, { note: 'Calls back.' }),
  },
  'POST /admin/draft-orders/:id/send': {
    about: 'draft-order',
    call: () => send('POST', `/admin/draft-orders/${id('draft')}/send`, { mail: false }),
  },
  'DELETE /admin/draft-orders/:id': {
    about: 'draft-order',
    call: () => send('DELETE', `/admin/draft-orders/${id('draft')}`),
  },
  'POST /admin/orders/:id/fulfilments': {
    about: 'order',
    call: async () => {
      const { lines } = Order.parse((await send('GET', `/admin/orders/${id('order')}`)).body)
      return send('POST', `/admin/orders/${id('order')}/fulfilments`, {
        lines: [{ lineId: lines[0]?.id, quantity: 1 }],
      })
    },
  },
  'PATCH /admin/orders/:id': {
    about: 'order',
    call: () => send('PATCH', `/admin/orders/${id('order')}`, { status: 'fulfilled' }),
  },
  'POST /admin/orders/:id/notes': {
    about: 'order',
    call: async () => {
      const response = await send('POST', `/admin/orders/${id('order')}/notes`, { text: 'Rang the buyer.' })
      made.set('note', z.object({ detail: Identified }).parse(response.body).detail.id)
      return response
    },
  },
  'DELETE /admin/orders/:id/notes/:noteId': {
    about: 'order',
    call: () => send('DELETE', `/admin/orders/${id('order')}/notes/${id('note')}`),
  },
  'PATCH /admin/buyers/:id': {
    about: 'buyer',
    call: async () => {
      const { body } = await caller.get('/admin/buyers?q=ada@mail.example')
      made.set('buyer', z.object({ items: z.tuple([Identified]) }).parse(body).items[0].id)
      return send('PATCH', `/admin/buyers/${id('buyer')}`, { tags: ['VIP'] })
    },
  },
  'POST /admin/buyers/:id/notes': {
    about: 'buyer',
    call: () => keep('buyer note', send('POST', `/admin/buyers/${id('buyer')}/notes`, { text: 'Prefers a call.' })),
  },
  'DELETE /admin/buyers/:id/notes/:noteId': {
    about: 'buyer',
    call: () => send('DELETE', `/admin/buyers/${id('buyer')}/notes/${id('buyer note')}`),
  },
  'DELETE /admin/buyers/:id': { about: 'buyer', call: () => send('DELETE', `/admin/buyers/${id('buyer')}`) },
  'DELETE /admin/customers/:id': {
    about: 'customer',
    call: async () => {
      const customer = shop.client()
      await customer.register(`leaves${round}@mail.example`)
      return send('DELETE', `/admin/customers/${idOf(await customer.get('/me'))}`)
    },
  },
  'POST /admin/orders/:id/refunds': {
    about: 'order',
    call: async () => {
      const { lines } = Order.parse((await send('GET', `/admin/orders/${id('order')}`)).body)
      return send('POST', `/admin/orders/${id('order')}/refunds`, {
        amount: 100,
        lines: [{ lineId: lines[0]?.id, quantity: 1, restock: false }],
      })
    },
  },
  'POST /admin/reconciliation': { about: 'reconciliation', call: () => send('POST', '/admin/reconciliation', {}) },

  'POST /admin/products': {
    about: 'product',
    call: () => keep('product', send('POST', '/admin/products', shirt('silk-shirt'))),
  },
  'PATCH /admin/products/:id': {
    about: 'product',
    call: () => send('PATCH', `/admin/products/${id('product')}`, { title: 'Silk' }),
  },
  'POST /admin/products/:id/variants': {
    about: 'product',
    call: async () => {
      await send('PATCH', `/admin/products/${id('product')}`, { options: [{ name: 'Size', values: ['M', 'L'] }] })
      const variant = { sku: 'SILK-L', options: { Size: 'L' } }
      return keep('variant', send('POST', `/admin/products/${id('product')}/variants`, variant))
    },
  },
  'PATCH /admin/products/:id/variants/:variantId': {
    about: 'product',
    call: () => send('PATCH', `/admin/products/${id('product')}/variants/${id('variant')}`, { sku: 'SILK-LARGE' }),
  },
  'DELETE /admin/products/:id/variants/:variantId': {
    about: 'product',
    call: () => send('DELETE', `/admin/products/${id('product')}/variants/${id('variant')}`),
  },
  'POST /admin/products/bulk': { about: 'bulk-edit', call: () => keep('bulk edit', tagInBulk(`round-${round}`)) },
  'POST /admin/products/bulk/:id/undo': { about: 'bulk-edit', call: undoBulkEdit },
  'DELETE /admin/products/bulk/:id': { about: 'bulk-edit', call: cancelBulkEdit },
  'DELETE /admin/products/:id': { about: 'product', call: () => send('DELETE', `/admin/products/${id('product')}`) },
  'POST /admin/variants/:id/inventory': {
    about: 'variant',
    call: async () => send('POST', `/admin/variants/${await variantOf('linen-shirt')}/inventory`, { delta: 5 }),
  },
  'PATCH /admin/variants/:id/inventory': {
    about: 'variant',
    call: async () =>
      send('PATCH', `/admin/variants/${await variantOf('linen-shirt')}/inventory`, { quantity: round === 0 ? 50 : 7 }),
  },
  'PATCH /admin/reviews/:id': {
    about: 'review',
    call: () => send('PATCH', `/admin/reviews/rev_a${round}`, { status: 'hidden' }),
  },
  'DELETE /admin/reviews/:id': { about: 'review', call: () => send('DELETE', `/admin/reviews/rev_b${round}`) },
  'POST /admin/size-charts': {
    about: 'size-chart',
    call: () =>
      send('POST', '/admin/size-charts', { id: 'shirts', unit: 'cm', columns: ['Size', 'Chest'], rows: [['M', 51.5]] }),
  },
  'DELETE /admin/size-charts/:id': { about: 'size-chart', call: () => send('DELETE', '/admin/size-charts/shirts') },
  'PATCH /admin/storefront': {
    about: 'storefront',
    call: () => send('PATCH', '/admin/storefront', { store: { name: `Linen & Co ${round}` } }),
  },
  'DELETE /admin/storefront/:path': {
    about: 'storefront',
    call: () => send('DELETE', '/admin/storefront/store.name'),
  },
  'POST /admin/storefront/versions/:version/restore': { about: 'storefront', call: restoreVersion },

  'POST /admin/users': { about: 'admin-user', byPersonOnly: true, call: () => keep('user', addUser(caller)) },
  'PATCH /admin/users/:id': {
    about: 'admin-user',
    call: () => send('PATCH', `/admin/users/${id('user')}`, { name: `Kay ${round}` }),
  },
  'DELETE /admin/users/:id': { about: 'admin-user', call: () => send('DELETE', `/admin/users/${id('user')}`) },
  'POST /admin/views': {
    about: 'saved-view',
    byPersonOnly: true,
    call: () =>
      keep('view', send('POST', '/admin/views', { screen: 'orders', name: 'To send', query: '?status=paid' })),
  },
  'DELETE /admin/views/:id': {
    about: 'saved-view',
    byPersonOnly: true,
    call: () => send('DELETE', `/admin/views/${id('view')}`),
  },

  'POST /admin/webhooks': {
    about: 'webhook',
    call: () => keep('endpoint', send('POST', '/admin/webhooks', { url: `${shop.receiver.url}/erp` })),
  },
  'PATCH /admin/webhooks/:id': {
    about: 'webhook',
    call: () => send('PATCH', `/admin/webhooks/${id('endpoint')}`, { description: 'ERP' }),
  },
  'POST /admin/webhooks/:id/disable': {
    about: 'webhook',
    call: () => send('POST', `/admin/webhooks/${id('endpoint')}/disable`),
  },
  'POST /admin/webhooks/:id/enable': {
    about: 'webhook',
    call: () => send('POST', `/admin/webhooks/${id('endpoint')}/enable`),
  },
  'POST /admin/webhooks/:id/rotate': {
    about: 'webhook',
    call: () => send('POST', `/admin/webhooks/${id('endpoint')}/rotate`),
  },
  'POST /admin/webhooks/:id/test': {
    about: 'webhook',
    call: () => send('POST', `/admin/webhooks/${id('endpoint')}/test`),
  },
  'POST /admin/webhooks/deliveries/:id/replay': { about: 'delivery', call: replayDelivery },
  'POST /admin/webhooks/deliveries/replay': {
    about: 'delivery',
    call: () =>
      send('POST', '/admin/webhooks/deliveries/replay', {
        from: '2020-01-01T00:00:00.000Z',
        to: new Date().toISOString(),
        statuses: ['delivered'],
      }),
  },
  'DELETE /admin/webhooks/:id': { about: 'webhook', call: () => send('DELETE', `/admin/webhooks/${id('endpoint')}`) },

  'POST /admin/auth/totp': {
    about: 'admin-user',
    byPersonOnly: true,
    call: async () => {
      const response = await send('POST', '/admin/auth/totp', { password: PASSWORD })
      made.set('secret', z.object({ secret: z.string() }).parse(response.body).secret)
      return response
    },
  },
  'POST /admin/auth/totp/confirm': { about: 'admin-user', byPersonOnly: true, call: confirmSecondFactor },
  'DELETE /admin/auth/totp': {
    about: 'admin-user',
    byPersonOnly: true,
    call: () => send('DELETE', '/admin/auth/totp', { password: PASSWORD, code: id('recovery code') }),
  },
  'POST /admin/auth/password': {
    about: 'admin-user',
    byPersonOnly: true,
    call: () => send('POST', '/admin/auth/password', { currentPassword: PASSWORD, newPassword: `new ${PASSWORD}` }),
  },
  'POST /admin/signing-keys/rotate': { about: 'signing-key', call: () => send('POST', '/admin/signing-keys/rotate') },
  'POST /admin/auth/logout': { about: 'sign-in', byPersonOnly: true, call: () => send('POST', '/admin/auth/logout') },
  'POST /admin/auth/login': {
    about: 'sign-in',
    byPersonOnly: true,
    call: () => send('POST', '/admin/auth/login', { username: EMAIL, password: `new ${PASSWORD}` }),
  },
  'POST /admin/console/session': {
    about: 'sign-in',
    byPersonOnly: true,
    call: () => consoleUser.post('/admin/console/session', { email: EMAIL, password: `new ${PASSWORD}` }),
  },
  'DELETE /admin/console/session': {
    about: 'sign-in',
    byPersonOnly: true,
    call: () => consoleUser.call('DELETE', '/admin/console/session', undefined, { 'x-console': '1' }),
  },
}

/** Writes that leave no entry, each with the reason. */
const WITHOUT_ENTRY: Record<string, string> = {
  'POST /admin/draft-orders/quote': 'It only computes a price, and is a POST because of its body.',
  'POST /admin/console/session/renew': 'It extends a session whose sign-in has an entry.',
  'POST /admin/products/bulk/preview': 'It only compares, and is a POST because of its body.',
}

function addUser(by: TestClient): Promise<TestResponse> {
  const kay = { email: `kay${round}@mail.example`, name: 'Kay', role: 'support', password: PASSWORD }
  return by.post('/admin/users', { ...kay, currentPassword: PASSWORD })
}

async function variantOf(slug: string): Promise<string> {
  const { body } = await shop.client().get(`/products/${slug}`)
  return z.object({ variants: z.tuple([Identified]).rest(Identified) }).parse(body).variants[0].id
}

async function cancelImport(): Promise<TestResponse> {
  await shop.sql(
    `insert into catalog.import_jobs (id, created_at, changed_at, actor, mode, dry_run, attended, status)
     values ($1, now(), now(), '{"kind":"anonymous"}', 'merge', false, true, 'receiving')`,
    [`imp_waiting_${round}`],
  )
  return send('DELETE', `/admin/import/imp_waiting_${round}`)
}

function tagInBulk(tag: string): Promise<TestResponse> {
  const body = { products: { filter: { q: 'linen-shirt' } }, change: { kind: 'tags', add: [tag] } }
  return send('POST', '/admin/products/bulk', body)
}

async function undoBulkEdit(): Promise<TestResponse> {
  const path = `/admin/products/bulk/${id('bulk edit')}`
  await waitFor('the bulk edit', async () => BulkEdit.parse((await caller.get(path)).body).state === 'done')
  return send('POST', `${path}/undo`)
}

/** Bulk edits take place one after the other: while the first one waits for its product, the second one is queued. */
async function cancelBulkEdit(): Promise<TestResponse> {
  const release = await holdLock(shop, `select 1 from catalog.products where slug = 'linen-shirt' for update`)
  try {
    await tagInBulk('first')
    return await send('DELETE', `/admin/products/bulk/${idOf(await tagInBulk('second'))}`)
  } finally {
    await release()
  }
}

async function uploadPicture(): Promise<TestResponse> {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const form = new FormData()
  form.append('alt', 'A dot')
  form.append('file', new Blob([Buffer.from(png, 'base64')], { type: 'image/png' }), 'dot.png')
  const response = await fetch(`${shop.shop.url}/admin/media`, {
    method: 'POST',
    headers: { origin: ORIGIN, authorization: `Bearer ${caller.token}` },
    body: form,
  })
  const body: unknown = await response.json()
  made.set('picture', Identified.parse(body).id)
  return { status: response.status, headers: response.headers, body }
}

async function resendMail(): Promise<TestResponse> {
  const [mail] = await shop.sql<{ id: string }>(
    `update notifier.mails set phase = 'failed', test = false
     where id = (select id from notifier.mails where test order by seq limit 1) returning id`,
  )
  return send('POST', `/admin/notifications/${mail?.id}/resend`)
}

async function restoreVersion(): Promise<TestResponse> {
  const { body } = await caller.get('/admin/storefront/versions')
  const { items } = z.object({ items: z.array(z.object({ version: z.int() })) }).parse(body)
  return send('POST', `/admin/storefront/versions/${items.at(-1)?.version}/restore`)
}

async function replayDelivery(): Promise<TestResponse> {
  const delivered = await waitFor('a delivery to arrive', async () => {
    const { body } = await caller.get('/admin/webhooks/deliveries?status=delivered')
    return z.object({ items: z.array(Identified) }).parse(body).items[0]?.id
  })
  return send('POST', `/admin/webhooks/deliveries/${delivered}/replay`)
}

async function confirmSecondFactor(): Promise<TestResponse> {
  const response = await send('POST', '/admin/auth/totp/confirm', {
    code: new TOTP({ secret: id('secret') }).generate(),
  })
  const { recoveryCodes } = z.object({ recoveryCodes: z.array(z.string()) }).parse(response.body)
  made.set('recovery code', recoveryCodes[0] ?? '')
  return response
}

const nameOf = ({ method, path }: ServiceRoute): string => `${method} ${path}`
const isUnderAdmin = ({ path }: ServiceRoute): boolean => /^\/admin(\/|$)/.test(path)
const isForAdmins = ({ access }: ServiceRoute): boolean => access === 'admin-user' || typeof access === 'object'

describe('every write under /admin', () => {
  // The gateway has no such route: services/gateway/src/front/routes.test.ts.
  test('is called by this test, or is listed with the reason why it leaves no entry', () => {
    const writes = routes.filter((route) => route.method !== 'GET' && isUnderAdmin(route)).map(nameOf)
    const known = [...Object.keys(WRITES), ...Object.keys(WITHOUT_ENTRY)]
    expect(writes.filter((route) => !known.includes(route))).toEqual([])
    expect(known.filter((route) => !writes.includes(route))).toEqual([])
    expect(writes.length).toBeGreaterThan(50)
    const services = new Set(routes.filter(isUnderAdmin).map(({ service }) => service))
    expect(services).toEqual(new Set(['catalog', 'cart', 'orders', 'identity', 'notifier']))
  })

  test('covers all routes for admins, because no route outside /admin requires an admin', () => {
    expect(routes.filter((route) => isForAdmins(route) && !isUnderAdmin(route)).map(nameOf)).toEqual([])
  })

  test('is called with a secret key as well, where a key may call it', () => {
    const closedToKeys = routes
      .filter((route) => route.method !== 'GET' && isUnderAdmin(route) && typeof route.access !== 'object')
      .map(nameOf)
      .filter((name) => !Object.hasOwn(WITHOUT_ENTRY, name))
    const byPersonOnly = Object.entries(WRITES).flatMap(([route, { byPersonOnly: only }]) => (only ? [route] : []))
    // Adding a user requires a password.
    expect(byPersonOnly.toSorted()).toEqual([...closedToKeys, 'POST /admin/users'].toSorted())
  })

  describe('of a secret key', () => {
    beforeAll(async () => {
      caller = robot
      await keep('user', addUser(grace))
      expect((await addUser(robot)).status).toBe(403)
    })

    test.each(Object.entries(WRITES).filter(([, { byPersonOnly }]) => !byPersonOnly))(
      '%s leaves an entry in the activity with the key that did it',
      (_route, write) => expectEntry(write, { kind: 'key', id: robotId, name: ROBOT }),
    )
  })

  describe('of an admin user', () => {
    beforeAll(() => {
      caller = grace
      round = 1
    })

    test.each(Object.entries(WRITES))('%s leaves an entry in the activity with the user who did it', (_route, write) =>
      expectEntry(write, { kind: 'user', id: graceId, name: NAME }),
    )
  })
})

async function expectEntry({ about, call }: Write, by: { kind: string; id: string; name: string }): Promise<void> {
  const newest = async () => (await activity(`?actor=${by.id}&subject=${about}`)).items
  const before = new Set((await newest()).map(({ id: entry }) => entry))
  const response = await call()
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  const added = (await newest()).filter(({ id: entry }) => !before.has(entry))
  expect(added).not.toEqual([])
  for (const { actor, subject } of added) {
    expect(actor).toMatchObject(by)
    expect(subject.kind).toBe(about)
  }
}

describe('the activity of the shop', () => {
  test('is the same list across all its pages, and consists of sentences', async () => {
    const whole = await activity('?per_page=100')
    expect(whole.incomplete).toEqual([])
    expect(new Set(whole.items.map(({ service }) => service))).toEqual(
      new Set(['catalog', 'cart', 'orders', 'identity', 'notifier']),
    )
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await activity(`?per_page=7${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.items.map(({ id: entry }) => entry))
      cursor = page.nextCursor ?? ''
    } while (cursor !== '' && seen.length < 100)
    expect(seen.slice(0, 100)).toEqual(whole.items.slice(0, 100).map(({ id: entry }) => entry))
    const sentences = whole.items.map(({ summary }) => summary)
    expect(sentences).toContain('Product “Silk” was deleted.')
    expect(sentences).toContain('Discount “TEN” was changed: value.')
    expect(sentences).toContain('The undo of a bulk edit of 1 product was started.')
    expect(sentences).toContain('The key “ERP” was created.')
    expect(sentences).toContain('An import was applied (products: 1 created).')
    expect(sentences).toContain('The storefront settings were changed: name and contact.')
    expect(sentences).toContain('The stock of “Shirt linen-shirt, LINEN-SHIRT” was changed from 53 to 7.')
    expect(sentences.some((sentence) => /^SF-\d+: The order was sent\.$/.test(sentence))).toBe(true)
    const refund = /^SF-\d+: A refund of \$1\.00 for 1 × Shirt linen-shirt was made\.$/
    expect(sentences.some((sentence) => refund.test(sentence))).toBe(true)
  })

  test('names the actor in the audits and timelines of the services, also after the user is deleted', async () => {
    const by = { kind: 'user', id: graceId, name: NAME, email: EMAIL }
    for (const path of [
      `/admin/audit?actor=${graceId}`,
      `/admin/discounts/audit?actor=${graceId}`,
      `/admin/auth/audit?actor=${graceId}`,
      `/admin/webhooks/audit?actor=${graceId}`,
    ]) {
      const { items } = z
        .object({ items: z.array(z.object({ by: z.unknown() })) })
        .parse((await shop.admin.get(path)).body)
      expect(items.length, path).toBeGreaterThan(0)
      for (const entry of items) expect(entry.by, path).toEqual(by)
    }
    const timeline = await shop.admin.get(`/admin/orders/${id('order')}/timeline`)
    expect(JSON.stringify(timeline.body)).toContain(JSON.stringify(by))
    const removed = await shop.admin.call('DELETE', `/admin/users/${graceId}`, {
      currentPassword: shop.shop.adminPassword,
    })
    expect(removed.status, JSON.stringify(removed.body)).toBe(200)
    expect((await activity(`?actor=${EMAIL}`)).items[0]?.actor).toEqual(by)
    expect((await activity(`?subject=discount`)).items[0]?.actor).toEqual(by)
  })

  test('shows a secret key by its name', async () => {
    const made = await shop.admin.post('/admin/api-keys', { name: 'Warehouse', permissions: ['discounts:write'] })
    const warehouse = shop.client()
    const key = z.object({ id: z.string(), key: z.string() }).parse(made.body)
    warehouse.token = key.key
    expect((await warehouse.post('/admin/discounts', { code: 'BYKEY', kind: 'shipping', value: 5 })).status).toBe(200)
    const { items } = await activity('?service=cart')
    expect(items[0]).toMatchObject({
      actor: { kind: 'key', id: key.id, name: 'Warehouse' },
      subject: { name: 'BYKEY' },
    })
    expect((await warehouse.get('/admin/activity')).status).toBe(403)
  })
})
