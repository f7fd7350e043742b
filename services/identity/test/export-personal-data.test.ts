import type { Messaging } from '@storefront/messaging'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { recordsByKind } from '../src/personal-data/records-by-kind.ts'
import { startFakeRecords, untilConnected, type Pages } from './fake-services.ts'
import { createSetting, PASSWORD, errorOf, type Setting } from './setting.ts'

const RECORD_SERVICES = ['orders', 'cart', 'catalog', 'notifier'] as const

let shop: Setting
let recordServices: Map<string, Messaging>
/** The records that the other services return, by service and customer. */
const kept = new Map<string, Pages>()
/** The addresses by which other services were to find records. */
const namedEmails = new Set<string>()

async function startRecordService(service: (typeof RECORD_SERVICES)[number]): Promise<void> {
  const messaging = await startFakeRecords(shop.suite, service, (customerId, email) => {
    if (email !== undefined) namedEmails.add(email)
    return kept.get(`${service} ${customerId}`) ?? {}
  })
  recordServices.set(service, messaging)
}

beforeAll(async () => {
  shop = await createSetting()
  recordServices = new Map()
  for (const service of RECORD_SERVICES) await startRecordService(service)
  const { customer } = await shop.register()
  await untilConnected(shop.suite, () => exportOf(customer.id))
})
afterAll(async () => {
  for (const messaging of recordServices.values()) await messaging.close()
  await shop.stop()
})

const exportOf = (customerId: string) => shop.call('GET', '/me/export', undefined, shop.as(customerId))
const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('the export of all data about a customer', () => {
  test("has identity's data, and nothing that gives access", async () => {
    const { token, customer } = await shop.register('Own@mail.example')
    await shop.call('PATCH', '/me', { phone: '+1 555', marketingOptIn: true }, shop.as(customer.id))
    await shop.call('POST', '/me/addresses', { name: 'Ada', line1: '1 Way' }, shop.as(customer.id))
    await shop.suite.sql(
      `insert into identity.wishlist_entries (id, customer_id, product_id, slug, saved_under, saved_at)
       values ('wish_1', $1, 'prod_1', 'linen', 'linen-old', '2026-01-02T03:04:05Z')`,
      [customer.id],
    )
    const response = await exportOf(customer.id)
    expect(response.status).toBe(200)
    expect(response.headers['content-disposition']).toBe('attachment; filename="personal-data.json"')
    expect(response.headers['cache-control']).toBe('private, no-store')
    expect(response.body).toEqual({
      generatedAt: time,
      account: {
        id: customer.id,
        email: 'Own@mail.example',
        firstName: 'Ada',
        lastName: 'L',
        phone: '+1 555',
        marketingOptIn: true,
        createdAt: time,
      },
      addresses: [expect.objectContaining({ line1: '1 Way', isDefault: true })],
      wishlist: [{ slug: 'linen', productId: 'prod_1', savedAt: '2026-01-02T03:04:05.000Z' }],
      newsletter: null,
      sessions: [{ createdAt: time, expiresAt: time }],
      orders: [],
      draftOrders: [],
      carts: [],
      reviews: [],
      purchases: [],
      alerts: [],
      mails: [],
      other: [],
    })
    const text = JSON.stringify(response.body)
    for (const secret of [PASSWORD, 'argon2', 'sess_', token]) expect(text).not.toContain(secret)
  })

  test('contains the newsletter subscription and the alerts of an address once it is verified', async () => {
    const { customer } = await shop.register('reader@mail.example')
    await shop.call('POST', '/newsletter', { email: 'READER@mail.example' })
    await waitFor('the subscription', async () => {
      return (await shop.suite.sql('select 1 from identity.newsletter_subscribers')).length > 0
    })
    expect((await exportOf(customer.id)).body).toMatchObject({ newsletter: null })
    expect(namedEmails).not.toContain('reader@mail.example')
    await shop.suite.sql('update identity.customers set email_verified_at = now() where id = $1', [customer.id])
    expect((await exportOf(customer.id)).body).toMatchObject({
      account: { emailVerifiedAt: time },
      newsletter: { email: expect.stringMatching(/^reader@mail.example$/i), subscribedAt: time },
    })
    expect(namedEmails).toContain('reader@mail.example')
  })

  test("has every page of the other services' data, and nothing of other customers", async () => {
    const { customer } = await shop.register()
    const record = (kind: string, id: string) => ({ kind, record: { id } })
    kept.set(`orders ${customer.id}`, {
      '': { records: [record('order', 'order_1')], next: 'order_1' },
      order_1: { records: [record('order', 'order_2')], next: 'order_2' },
      order_2: { records: [record('draft-order', 'draft_1')], next: 'draft_1' },
      draft_1: { records: [] },
    })
    kept.set(`cart ${customer.id}`, { '': { records: [record('cart', 'cart_1')] } })
    kept.set(`catalog ${customer.id}`, {
      '': { records: [record('review', 'rev_1')], next: 'purchase:' },
      'purchase:': { records: [record('purchase', 'order_1'), record('alert', 'alert_1')] },
    })
    kept.set(`notifier ${customer.id}`, { '': { records: [record('mail', 'mail_1'), record('letter', 'let_1')] } })
    kept.set('orders cus_other', { '': { records: [record('order', 'order_foreign')] } })
    const response = await exportOf(customer.id)
    expect(response.body).toMatchObject({
      orders: [{ id: 'order_1' }, { id: 'order_2' }],
      draftOrders: [{ id: 'draft_1' }],
      carts: [{ id: 'cart_1' }],
      reviews: [{ id: 'rev_1' }],
      purchases: [{ id: 'order_1' }],
      alerts: [{ id: 'alert_1' }],
      mails: [{ id: 'mail_1' }],
      other: [record('letter', 'let_1')],
    })
    expect(JSON.stringify(response.body)).not.toContain('foreign')
  })

  test('puts every record into one field, whatever its kind', () => {
    const records = ['order', 'draft-order', 'constructor', 'orders', '__proto__', 'mail'].map((kind) => ({
      kind,
      record: { kind },
    }))
    const placed = recordsByKind(records)
    expect(Object.values(placed).flat()).toHaveLength(records.length)
    expect(placed.other.map(({ kind }) => kind)).toEqual(['constructor', 'orders', '__proto__'])
  })

  test('contains the open sessions and the latest hundred, however many there were', async () => {
    const { customer } = await shop.register()
    await shop.suite.sql(
      `insert into identity.sessions (id, kind, customer_id, created_at, expires_at, revoked_at)
       select 'sess_ended_' || i, 'customer', $1, at, at + interval '30 days', at
       from generate_series(1, 500) i, lateral (select now() - i * interval '1 minute' as at) ended`,
      [customer.id],
    )
    await shop.suite.sql(
      `insert into identity.sessions (id, kind, customer_id, created_at, expires_at)
       values ('sess_long_open', 'customer', $1, now() - interval '29 days', now() + interval '1 day')`,
      [customer.id],
    )
    const Sessions = z.object({
      sessions: z.array(z.object({ createdAt: z.string(), endedAt: z.string().optional() })),
    })
    const { sessions } = Sessions.parse((await exportOf(customer.id)).body)
    const times = sessions.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    // The session of the registration, 99 ended ones, and the old session that is still open.
    expect(sessions.map(({ endedAt }) => endedAt === undefined)).toEqual([
      true,
      ...Array.from({ length: 99 }, () => false),
      true,
    ])
  })

  test('fails while a service cannot be reached, or when its pages never end', async () => {
    const { customer } = await shop.register()
    const unavailable = { status: 503, code: 'service_unavailable' }
    for (const service of RECORD_SERVICES) {
      await recordServices.get(service)?.close()
      const response = await exportOf(customer.id)
      expect(errorOf(response), service).toEqual(unavailable)
      expect(response.headers['content-disposition']).toBeUndefined()
      await startRecordService(service)
    }
    expect((await exportOf(customer.id)).status).toBe(200)
    kept.set(`orders ${customer.id}`, { '': { records: [], next: 'a' }, a: { records: [], next: 'a' } })
    expect(errorOf(await exportOf(customer.id))).toEqual(unavailable)
  })

  test('is for the customer alone', async () => {
    const unauthenticated = { status: 401, code: 'unauthenticated' }
    for (const headers of [{}, shop.suite.headers.anonymous(), shop.suite.headers.admin(), shop.as('cus_gone')]) {
      const response = await shop.call('GET', '/me/export', undefined, headers)
      expect(errorOf(response)).toEqual(unauthenticated)
    }
  })
})
