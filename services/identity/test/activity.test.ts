import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { replyTo, sendRequest, type Messaging } from '@storefront/messaging'
import { readActivity, type ActivitySource } from '@storefront/audit'
import {
  NamedActor,
  PERMISSIONS,
  ReadActorNames,
  ReadCartActivity,
  ReadCatalogActivity,
  ReadNotifierActivity,
  ReadOrdersActivity,
  ROLE_PERMISSIONS,
  type ActivityQuery,
  type Permission,
} from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { RETENTION } from '../src/retention.ts'
import { ADMIN_PASSWORD, adminsOf, type Admins } from './admins.ts'
import { ADMIN, createSetting, errorOf, openDatabase, type Setting } from './setting.ts'

const REQUESTS = {
  catalog: ReadCatalogActivity,
  cart: ReadCartActivity,
  orders: ReadOrdersActivity,
  notifier: ReadNotifierActivity,
}
type Other = keyof typeof REQUESTS

const Page = z.strictObject({
  items: z.array(
    z.looseObject({
      id: z.string(),
      service: z.string(),
      at: z.string(),
      actor: NamedActor,
      action: z.string(),
      subject: z.strictObject({ kind: z.string(), id: z.string(), name: z.string().optional() }),
      summary: z.string(),
    }),
  ),
  total: z.int(),
  perPage: z.int(),
  nextCursor: z.string().optional(),
  services: z.array(z.string()),
  incomplete: z.array(z.string()),
})

const clock = manualClock('2026-01-01T12:00:00.000Z')
let shop: Setting
let admins: Admins
const simulated = new Map<Other, Messaging>()
/** Queries that the simulated services received. */
let queries: { service: Other; query: ActivityQuery }[] = []
let entries = nothing()

beforeAll(async () => {
  shop = await createSetting({}, clock)
  admins = adminsOf(shop)
  for (const service of ['catalog', 'cart', 'orders', 'notifier'] as const)
    simulated.set(service, await simulate(service))
  await waitFor('identity on NATS', async () => (await activity()).incomplete.length === 0)
})
afterAll(async () => {
  for (const messaging of simulated.values()) await messaging.close()
  await shop.stop()
})
beforeEach(async () => {
  queries = []
  entries = nothing()
  await shop.suite.sql('delete from identity.admin_audit')
})

function nothing(): Record<Other, { number: number; at: string; actorId: string }[]> {
  return { catalog: [], cart: [], orders: [], notifier: [] }
}

const KIND = { catalog: 'product', cart: 'discount', orders: 'order', notifier: 'webhook' } as const

/** Simulates a service with an audit, with its NATS permissions. */
async function simulate(service: Other): Promise<Messaging> {
  const messaging = await shop.suite.openMessaging(service)
  replyTo({ messaging, log: shop.suite.log, verifyActor: () => undefined }, REQUESTS[service], async (query) => {
    queries.push({ service, query })
    return readActivity([sourceOf(service)], query)
  })
  await (await messaging.opened).flush()
  return messaging
}

function sourceOf(service: Other): ActivitySource {
  return {
    name: service,
    kinds: [KIND[service]],
    find: async ({ actorIds }, { behind, limit }) =>
      entries[service]
        .filter(({ actorId }) => actorIds === undefined || actorIds.includes(actorId))
        .filter((one) => {
          const time = behind?.at.toISOString() ?? ''
          return !behind || one.at < time || (one.at === time && one.number < behind.number)
        })
        .slice(0, limit)
        .map((one) => ({
          ...one,
          action: 'update',
          subject: { kind: KIND[service], id: `${service} thing` },
          summary: `Something in ${service} was changed.`,
        })),
    count: async () => entries[service].length,
  }
}

const add = (service: Other, number: number, second: number, actorId = 'user_other') =>
  entries[service].unshift({ number, at: new Date(Date.UTC(2026, 0, 1, 10, 0, second)).toISOString(), actorId })

async function activity(query = '', permissions: readonly Permission[] = PERMISSIONS): Promise<z.output<typeof Page>> {
  const reply = await shop.call('GET', `/admin/activity${query}`, undefined, admins.key(permissions))
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return Page.parse(reply.body)
}
const idsOf = async (query: string) => (await activity(query)).items.map(({ id }) => id)

/** @param afterPage is called after each page, to add entries while a merchant reads */
async function idsOfPages(perPage: number, afterPage?: () => void): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await activity(`?per_page=${perPage}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
    afterPage?.()
  } while (cursor !== undefined)
  return seen
}

describe('the activity', () => {
  test('is one list of the activity of all services, latest first', async () => {
    add('catalog', 1, 1)
    add('cart', 1, 2)
    add('orders', 7, 2)
    add('notifier', 3, 4)
    add('catalog', 2, 5)
    await shop.suite.sql(
      `insert into identity.admin_audit (id, at, action, outcome, actor, subject, fields, address, request_id)
       overriding system value
       values (900, '2026-01-01T10:00:03Z', 'revoke_key', 'succeeded', 'user_other', 'key_1', '{}', '127.0.0.1', 'req')`,
    )
    const page = await activity()
    expect(page.items.map(({ id, service }) => [id, service])).toEqual([
      ['catalog-2', 'catalog'],
      ['notifier-3', 'notifier'],
      ['identity-900', 'identity'],
      ['cart-1', 'cart'],
      ['orders-7', 'orders'],
      ['catalog-1', 'catalog'],
    ])
    expect(page).toMatchObject({ total: 6, perPage: 25, incomplete: [] })
    expect(page.services).toEqual(['catalog', 'cart', 'orders', 'identity', 'notifier'])
    expect(page.items[0]).toEqual({
      id: 'catalog-2',
      service: 'catalog',
      at: '2026-01-01T10:00:05.000Z',
      actor: { kind: 'user', id: 'user_other', name: null },
      action: 'update',
      subject: { kind: 'product', id: 'catalog thing' },
      summary: 'Something in catalog was changed.',
    })
  })

  test('is read page by page without repeating or skipping entries while new ones arrive', async () => {
    for (let second = 0; second < 12; second++) {
      add('catalog', second + 1, second)
      if (second % 2 === 0) add('cart', second + 1, second)
      if (second % 3 === 0) add('orders', second + 1, second)
    }
    const all = await idsOf('?per_page=100')
    expect(all).toHaveLength(22)
    let added = 100
    expect(await idsOfPages(3, () => add('catalog', ++added, 59))).toEqual(all)
    for (const broken of ['x', 'e30', Buffer.from('["2026-01-01T00:00:00.000Z","catalog",0]').toString('base64url')]) {
      const reply = await shop.call('GET', `/admin/activity?cursor=${broken}`, undefined, admins.key())
      expect(errorOf(reply)).toEqual({ status: 422, code: 'validation_failed' })
    }
  })

  test('is read without gaps when a page ends between entries whose times differ in microseconds', async () => {
    add('catalog', 1, 3)
    await shop.suite.sql(
      `insert into identity.admin_audit (id, at, action, outcome, subject, fields, address, request_id)
       overriding system value
       select id, '2026-01-01T10:00:03.000456Z'::timestamptz, 'limit_key', 'succeeded', 'key_' || id, '{}'::text[],
         '-', 'migration'
       from generate_series(901, 903) as id`,
    )
    expect(await idsOfPages(1)).toEqual(['catalog-1', 'identity-903', 'identity-902', 'identity-901'])
  })

  test('names the service that does not reply, and shows the others', async () => {
    add('catalog', 1, 1)
    add('notifier', 1, 2)
    await simulated.get('notifier')?.close()
    expect(await activity()).toMatchObject({ items: [{ id: 'catalog-1' }], total: 1, incomplete: ['notifier'] })
    expect((await activity('?service=catalog')).incomplete).toEqual([])
    simulated.set('notifier', await simulate('notifier'))
    expect((await activity()).incomplete).toEqual([])
  })

  test("is filtered by service, kind, time and actor, also by the actor's email address", async () => {
    const { id, email } = await admins.add({ name: 'Grace' })
    await shop.suite.sql('delete from identity.admin_audit')
    for (const service of ['catalog', 'cart', 'orders', 'notifier'] as const) add(service, 1, 1, id)
    add('cart', 2, 2)
    queries = []
    expect(await idsOf('?service=cart')).toEqual(['cart-2', 'cart-1'])
    expect(queries.map(({ service }) => service)).toEqual(['cart'])
    expect(await idsOf('?subject=discount')).toEqual(['cart-2', 'cart-1'])
    expect(await idsOf('?subject=discount&service=orders')).toEqual([])
    expect(queries.map(({ service }) => service)).toEqual(['cart', 'cart'])
    expect(queries[1]?.query.kinds).toBeUndefined()
    expect((await activity('?subject=&service=&actor=&from=&to=')).total).toBe(5)
    queries = []
    expect(await idsOf(`?actor=${id}&subject=product`)).toEqual(['catalog-1'])
    expect(queries[0]?.query).toMatchObject({ kinds: ['product'], actorIds: [id] })
    const byEmail = await activity(`?actor=${encodeURIComponent(email.toUpperCase())}&service=cart`)
    expect(byEmail.items).toMatchObject([{ id: 'cart-1', actor: { kind: 'user', id, name: 'Grace', email } }])
    expect(await idsOf('?actor=nobody@shop.example')).toEqual([])
    queries = []
    await activity('?service=cart&from=2026-01-01T12:00:00%2B02:00&to=2026-01-02T00:00:00Z')
    expect(queries[0]?.query).toMatchObject({ from: '2026-01-01T10:00:00.000Z', to: '2026-01-02T00:00:00.000Z' })
    for (const query of [
      'subject=dance',
      'service=gateway',
      'from=yesterday',
      'to=9999-12-31T23:59:59-12:00',
      'per_page=x',
    ]) {
      const reply = await shop.call('GET', `/admin/activity?${query}`, undefined, admins.key())
      expect(errorOf(reply), query).toEqual({ status: 422, code: 'validation_failed' })
    }
  })

  test.each([
    ['an id that is too long', 'x'.repeat(201)],
    ['an unknown email address', 'unknown@shop.example'],
    ['a long text with an at sign', `${'x'.repeat(201)}@shop.example`],
  ])('of an actor that cannot exist, by %s, is empty, and no service gets a request', async (_what, actor) => {
    add('catalog', 1, 1)
    expect(await activity(`?actor=${actor}`)).toEqual({
      items: [],
      total: 0,
      perPage: 25,
      services: ['catalog', 'cart', 'orders', 'identity', 'notifier'],
      incomplete: [],
    })
    expect(queries).toEqual([])
  })

  test('shows each reader the services that their permissions include', async () => {
    const servicesOf = async (permissions: readonly Permission[]): Promise<string[]> =>
      (await activity('', permissions)).services
    expect(await servicesOf(ROLE_PERMISSIONS.owner)).toEqual(['catalog', 'cart', 'orders', 'identity', 'notifier'])
    expect(await servicesOf(ROLE_PERMISSIONS.merchandiser)).toEqual(['catalog', 'cart'])
    queries = []
    expect(await servicesOf(ROLE_PERMISSIONS.support)).toEqual(['catalog', 'orders', 'notifier'])
    // Mails are shown with the orders, webhooks are not.
    expect(queries.find(({ service }) => service === 'notifier')?.query.kinds).toEqual(['mail'])
    queries = []
    for (const query of ['service=identity', 'subject=credentials', 'service=cart', 'subject=webhook']) {
      const reply = await shop.call('GET', `/admin/activity?${query}`, undefined, admins.key(ROLE_PERMISSIONS.support))
      expect(errorOf(reply), query).toEqual({ status: 403, code: 'forbidden' })
    }
    expect(queries).toEqual([])
    const none = await shop.call('GET', '/admin/activity', undefined, admins.key(['orders:read']))
    expect(errorOf(none).status).toBe(403)
    expect((await shop.call('GET', '/admin/activity')).status).toBe(401)
  })
})

describe("identity's own part of the activity", () => {
  const own = async (query = '') =>
    (await activity(`?service=identity${query}`)).items.map(({ action, summary, subject: { kind } }) => [
      kind,
      action,
      summary,
    ])

  test('consists of sign-ins, users, keys and credentials, each in a sentence', async () => {
    const owner = await admins.owner()
    const headers = owner.headers
    const currentPassword = ADMIN.password
    const kay = { email: 'kay@shop.example', name: 'Kay', role: 'support', password: ADMIN_PASSWORD, currentPassword }
    const { id } = z.object({ id: z.string() }).parse((await shop.call('POST', '/admin/users', kay, headers)).body)
    const steps = [
      () => admins.logIn(kay.email, { password: 'wrong' }),
      () => admins.logIn('nobody@shop.example'),
      () => shop.call('POST', '/admin/users', { ...kay, email: 'lee@shop.example', currentPassword: 'wrong' }, headers),
      () => shop.call('PATCH', `/admin/users/${id}`, { name: 'Kay S.', role: 'fulfilment', currentPassword }, headers),
      () => shop.call('POST', '/admin/api-keys', { name: 'Warehouse', permissions: ['orders:read'] }, headers),
      () => shop.call('POST', '/admin/credentials', { smtpPassword: 'hush' }, headers),
      () => shop.call('POST', '/admin/signing-keys/rotate', undefined, headers),
      () => shop.call('DELETE', `/admin/users/${id}`, undefined, headers),
      () => shop.call('POST', '/admin/auth/logout', undefined, headers),
    ]
    for (const step of steps) {
      clock.advance(1000)
      await step()
    }
    expect(await own()).toEqual([
      ['sign-in', 'sign_out', '“Owner” signed out.'],
      ['admin-user', 'delete_user', 'The admin user “Kay S.” was removed.'],
      ['signing-key', 'rotate_signing_key', 'The signing key was rotated.'],
      ['credentials', 'change_credentials', 'Credentials were changed: smtpPassword.'],
      ['api-key', 'create_key', 'The key “Warehouse” was created.'],
      ['admin-user', 'change_user', 'The admin user “Kay S.” was changed: name, role.'],
      ['admin-user', 'create_user', 'Adding an admin user was rejected: the password was wrong.'],
      [
        'sign-in',
        'sign_in',
        'The sign-in of “nobody@shop.example” was rejected: no admin user has this email address.',
      ],
      ['sign-in', 'sign_in', 'The sign-in of “Kay S.” was rejected: the password was wrong.'],
      ['admin-user', 'create_user', 'The admin user “Kay S.” was added.'],
      ['sign-in', 'sign_in', 'The sign-in of “Owner” succeeded.'],
    ])
    expect((await own('&subject=api-key')).map(([, action]) => action)).toEqual(['create_key'])
    const { items } = await activity('?service=identity&subject=sign-in')
    expect(items.map(({ actor }) => actor)).toEqual([
      { kind: 'user', id: owner.id, name: 'Owner', email: ADMIN.email },
      { kind: 'visitor', id: null, name: null },
      { kind: 'visitor', id: null, name: null },
      { kind: 'user', id: owner.id, name: 'Owner', email: ADMIN.email },
    ])
    expect(JSON.stringify(await activity())).not.toContain('hush')
  })
})

describe('the name of an actor', () => {
  const namesOf = async (...ids: string[]) => {
    const cart = simulated.get('cart')
    if (!cart) throw new Error('the simulated cart is missing')
    return (await sendRequest(cart, ReadActorNames, { ids })).actors.toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    )
  }

  test('is sent to the other services, also for a removed user and a deleted key', async () => {
    const { headers } = await admins.owner()
    const { id, email } = await admins.add({ name: 'Grace' })
    const made = await shop.call('POST', '/admin/api-keys', { name: 'ERP', permissions: ['orders:read'] }, headers)
    const key = z.object({ id: z.string() }).parse(made.body).id
    const expected = [
      { id: key, kind: 'key', name: 'ERP' },
      { id, kind: 'user', name: 'Grace', email },
    ]
    expect(await namesOf(id, key, 'user_unknown')).toEqual(expected)
    expect((await shop.call('DELETE', `/admin/users/${id}`, undefined, headers)).status).toBe(200)
    expect((await shop.call('DELETE', `/admin/api-keys/${key}`, undefined, headers)).status).toBe(200)
    const later = manualClock(new Date(clock.now().getTime() + 91 * 24 * 3600 * 1000))
    const db = openDatabase(shop.suite)
    await followRule(RETENTION['old API keys'], { db, clock: later })
    await db.destroy()
    expect(await shop.suite.sql('select 1 from identity.api_keys where id = $1', [key])).toEqual([])
    expect(await namesOf(id, key)).toEqual(expected)
    const removed = await activity(`?actor=${email}&subject=admin-user`)
    expect(removed.total).toBe(0)
    const { items } = await activity('?subject=admin-user')
    expect(items[0]).toMatchObject({ action: 'delete_user', subject: { id, name: 'Grace' } })
  })

  test("is the user's current one", async () => {
    const { id, email } = await admins.add({ name: 'Grace' })
    expect((await admins.change(id, { name: 'Grace Hopper' })).status).toBe(200)
    expect(await namesOf(id)).toEqual([{ id, kind: 'user', name: 'Grace Hopper', email }])
  })
})
