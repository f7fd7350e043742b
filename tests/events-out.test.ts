import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AdminProduct, WebhookPayload, type Order } from '@storefront/contracts'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { openShop, stopAfter, type TestShop } from './support/shop.ts'
import type { TestResponse, TestClient } from './support/test-client.ts'

/** Enough for a hundred deliveries, or for a timer that runs every second, on a busy machine. */
const LONG_MS = 20_000

let shop: TestShop
/** All events that the storefront should have received since the start, without id and time. */
const expected: unknown[] = []

beforeAll(async () => {
  shop = await openShop()
  // Every test shop saves its settings at the start.
  await expectDelivered([settings()], LONG_MS)
})

afterAll(() => stopAfter(expectLedgerBalanced(shop), shop))

const settings = () => ({ type: 'settings.updated' })
const product = (slug: string) => ({ type: 'product.updated', slug })
const category = (slug: string) => ({ type: 'category.updated', slug })
const inventory = (slug: string, variantId: string, units: number) => ({
  type: 'inventory.updated',
  slug,
  variantId,
  inventory: units,
  available: units > 0,
})
const ofOrder = (type: 'order.paid' | 'order.fulfilled', { id, number }: Order) => ({ type, orderId: id, number })

/** All webhooks that the storefront received, parsed with their schema. */
const receivedEvents = () => shop.receiver.received.map((payload) => WebhookPayload.parse(payload))
const sorted = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).toSorted()
const facts = () => receivedEvents().map(({ id: _id, at: _at, ...rest }) => rest)

/** Waits until the storefront has received these events, and expects that it received no others. */
async function expectDelivered(events: readonly unknown[], timeoutMs = 10_000): Promise<void> {
  expected.push(...events)
  const wanted = sorted(expected).join()
  const isThere = () => shop.receiver.received.length >= expected.length && sorted(facts()).join() === wanted
  await waitFor('the storefront to receive the events', isThere, timeoutMs).catch(() => {})
  expect(sorted(facts())).toEqual(sorted(expected))
  expect(shop.receiver.forged()).toBe(0)
}

async function done(response: Promise<TestResponse>): Promise<TestResponse> {
  const { status, body, headers } = await response
  expect(status, JSON.stringify(body)).toBe(200)
  return { status, body, headers }
}

const post = (path: string, body?: unknown) => done(shop.admin.post(path, body))
const patch = (path: string, body: unknown) => done(shop.admin.call('PATCH', path, body))
const remove = (path: string) => done(shop.admin.call('DELETE', path))
const idOf = ({ body }: TestResponse) => z.object({ id: z.string() }).parse(body).id

async function newProduct(title: string, units: number): Promise<{ id: string; slug: string; variantId: string }> {
  const { body } = await post('/admin/products', {
    title,
    price: { amount: 4000, currency: 'USD' },
    published: true,
    variants: [{ options: {}, inventory: units }],
  })
  const { id, slug, variants } = AdminProduct.parse(body)
  return { id, slug, variantId: variants[0]?.id ?? '' }
}

describe('the storefront receives exactly one event when', () => {
  test('a product is created, changed, hidden, shown, renamed and deleted', async () => {
    const { id } = await newProduct('Linen', 3)
    await expectDelivered([product('linen')])
    await patch(`/admin/products/${id}`, { title: 'Fine linen' })
    await patch(`/admin/products/${id}`, { title: 'Fine linen' })
    await expectDelivered([product('linen')])
    await patch(`/admin/products/${id}`, { published: false })
    await expectDelivered([product('linen')])
    await patch(`/admin/products/${id}`, { published: true })
    await expectDelivered([product('linen')])
    await patch(`/admin/products/${id}`, { slug: 'flax' })
    await expectDelivered([product('linen'), product('flax')])
    await remove(`/admin/products/${id}`)
    await expectDelivered([{ type: 'product.deleted', slug: 'flax' }])
  })

  test('a merchant sets a stock quantity', async () => {
    const { id, slug, variantId } = await newProduct('Counted', 3)
    await expectDelivered([product(slug)])
    await patch(`/admin/variants/${variantId}/inventory`, { quantity: 5 })
    await patch(`/admin/variants/${variantId}/inventory`, { quantity: 5 })
    await expectDelivered([inventory(slug, variantId, 5)])
    await post(`/admin/variants/${variantId}/inventory`, { delta: -5 })
    await expectDelivered([inventory(slug, variantId, 0)])
    await patch(`/admin/products/${id}`, { variants: [{ id: variantId, inventory: 9 }] })
    await expectDelivered([inventory(slug, variantId, 9)])
  })

  test('a review is published, and when it is hidden again', async () => {
    const { slug } = await newProduct('Reviewed', 1)
    await expectDelivered([product(slug)])
    const customer = shop.client()
    await customer.register('reviewer@example.com')
    const review = idOf(await done(customer.post(`/products/${slug}/reviews`, { author: 'Ada', rating: 5 })))
    await patch(`/admin/reviews/${review}`, { status: 'published' })
    await expectDelivered([product(slug)])
    await patch(`/admin/reviews/${review}`, { status: 'hidden' })
    await expectDelivered([product(slug)])
    await remove(`/admin/reviews/${review}`)
  })

  test('categories and collections are saved and deleted', async () => {
    await post('/admin/categories', { slug: 'tops', name: 'Tops' })
    await post('/admin/categories', { slug: 'shirts', name: 'Shirts', parent: 'tops' })
    await post('/admin/categories', { slug: 'shirts', name: 'Shirts', parent: 'tops' })
    await expectDelivered([category('tops'), category('shirts')])
    await post('/admin/collections', { slug: 'summer', title: 'Summer', products: [] })
    await post('/admin/collections', { slug: 'summer', title: 'Summer', products: [] })
    await expectDelivered([category('summer')])
    await remove('/admin/categories/tops')
    await remove('/admin/collections/summer')
    await expectDelivered([category('tops'), category('shirts'), category('summer')])
  })

  test('the configuration, the vocabulary or a size chart is saved', async () => {
    await patch('/admin/storefront', { store: { name: 'Another name' } })
    await patch('/admin/storefront', { store: { name: 'Another name' } })
    await expectDelivered([settings()])
    const chart = { id: 'tops', unit: 'cm', columns: ['Size', 'Chest'], rows: [['S', 90]] }
    await post('/admin/size-charts', chart)
    await post('/admin/size-charts', chart)
    await expectDelivered([settings()])
    await remove('/admin/size-charts/tops')
    await expectDelivered([settings()])
    const attribute = { key: 'collar', label: 'Collar', group: 'details', values: ['Spread'] }
    const item = idOf(await post('/admin/library/attributes', attribute))
    await post('/admin/library/attributes', attribute)
    await expectDelivered([settings()])
    await remove(`/admin/library/attributes/${item}`)
    await expectDelivered([settings()])
  })
})

describe('the storefront receives events of orders:', () => {
  let sold: { slug: string; variantId: string }

  beforeAll(async () => {
    sold = await newProduct('Sold', 10)
    await expectDelivered([product(sold.slug)])
  })

  async function hold(client: TestClient, quantity: number): Promise<string> {
    const cart = await client.cartWith(sold.variantId, quantity)
    const { body } = await done(client.checkOut(cart.id))
    return z.object({ url: z.string() }).parse(body).url
  }

  test('a paid, a fulfilled and a canceled order publish one event for each change', async () => {
    const order = await shop.client().buy(sold.variantId, 2)
    await expectDelivered([inventory(sold.slug, sold.variantId, 8), ofOrder('order.paid', order)])
    await patch(`/admin/orders/${order.id}`, { status: 'fulfilled' })
    await patch(`/admin/orders/${order.id}`, { status: 'fulfilled' })
    await expectDelivered([ofOrder('order.fulfilled', order)])

    const other = await shop.client().buy(sold.variantId, 3)
    await expectDelivered([inventory(sold.slug, sold.variantId, 5), ofOrder('order.paid', other)])
    await patch(`/admin/orders/${other.id}`, { status: 'cancelled' })
    await expectDelivered([inventory(sold.slug, sold.variantId, 8)])
  })

  test('a checkout that is canceled or expires publishes the released stock', async () => {
    await patch('/admin/storefront', { checkout: { mode: 'redirect', provider: 'demo' } })
    await expectDelivered([settings()])
    const page = await hold(shop.client(), 1)
    await expectDelivered([inventory(sold.slug, sold.variantId, 7)])
    await (await fetch(`${page}/cancel`, { method: 'POST', redirect: 'manual' })).arrayBuffer()
    await expectDelivered([inventory(sold.slug, sold.variantId, 8)], LONG_MS)
    await hold(shop.client(), 4)
    await expectDelivered([inventory(sold.slug, sold.variantId, 4)])
    // Both sessions expire.
    for (const table of ['payment_sessions', 'demo_sessions']) {
      await shop.sql(`update orders.${table} set expires_at = now() - interval '2 minutes' where status = 'open'`)
    }
    await expectDelivered([inventory(sold.slug, sold.variantId, 8)], LONG_MS)
  })
})

describe('an import', () => {
  const products = (count: number, title: string, units: number) =>
    Array.from({ length: count }, (_, nth) => ({
      slug: `row-${nth}`,
      title,
      price: { amount: 4000, currency: 'USD' },
      variants: [{ sku: `ROW-${nth}`, options: {}, inventory: units }],
    }))
  const load = (body: Record<string, unknown>) => post('/admin/import', { mode: 'merge', ...body })

  test('of 101 products publishes one event, whatever it changes', async () => {
    await load({ products: products(101, 'One', 1), categories: [{ slug: 'loaded', name: 'Loaded' }] })
    await expectDelivered([product('*'), category('loaded')])
    await load({ products: products(101, 'Two', 2) })
    await expectDelivered([product('*')])
    await load({ products: products(101, 'Two', 2) })
  })

  test('of 100 products publishes one event per product, or per changed quantity', async () => {
    await load({ products: products(100, 'Three', 2) })
    const slugs = products(100, '', 0).map(({ slug }) => slug)
    await expectDelivered(slugs.map(product), LONG_MS)
    await load({ products: products(100, 'Three', 3) })
    const variants = await shop.sql<{ id: string; slug: string }>(
      `select v.id, p.slug from catalog.variants v join catalog.products p on p.id = v.product_id where p.slug like 'row-%'`,
    )
    const changed = variants.filter(({ slug }) => slugs.includes(slug))
    expect(changed).toHaveLength(100)
    await expectDelivered(
      changed.map(({ id, slug }) => inventory(slug, id, 3)),
      LONG_MS,
    )
  })
})

test('the delivery log has exactly these events, each delivered at the first attempt', async () => {
  const Page = z.object({
    total: z.int(),
    items: z.array(z.looseObject({ eventId: z.string(), type: z.string(), status: z.string(), attempts: z.int() })),
  })
  const read = async (page: number) =>
    Page.parse((await shop.admin.get(`/admin/webhooks/deliveries?per_page=100&page=${page}`)).body)
  await waitFor('the last delivery to be recorded', async () => {
    const open = await shop.sql(`select 1 from notifier.deliveries where settled_at is null limit 1`)
    return open.length === 0
  })
  const { total, items } = await read(1)
  for (let page = 2; items.length < total; page++) items.push(...(await read(page)).items)
  expect(total).toBe(expected.length)
  expect(items.filter(({ status, attempts }) => status !== 'delivered' || attempts !== 1)).toEqual([])
  const kinds = (all: readonly { id: string; type: string }[]) => all.map(({ id, type }) => `${id} ${type}`).toSorted()
  expect(kinds(items.map(({ eventId, type }) => ({ id: eventId, type })))).toEqual(kinds(receivedEvents()))
  expect(new Set(receivedEvents().map(({ id }) => id)).size).toBe(expected.length)
})
