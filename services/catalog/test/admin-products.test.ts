import { manualClock } from '@storefront/service/testing'
import {
  type Arbitrary,
  array,
  asyncProperty,
  assert,
  constantFrom,
  double,
  integer,
  oneof,
  option,
  record,
  string,
  uniqueArray,
  constant,
} from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import {
  AdminProduct,
  PRICE_FIELDS,
  priceEntryKey,
  priceSettingsKey,
  listOf,
  newId,
  Product,
  ProductDeleted,
  ProductList,
  ProductUpdated,
  ReserveInventory,
  SettingsUpdated,
  Vocabulary,
} from '@storefront/contracts'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import type { Tx } from '../src/database.ts'
import { incrementVersions } from '../src/products/products.queries.ts'
import { lockSizeCharts } from '../src/size-charts/size-charts.queries.ts'
import type { RunningCatalog } from '../src/start.ts'
import { auditOf, importCatalogue, injectAsAdmin, PUBLIC_URL, shirt, startTestCatalog, usd } from './catalog.ts'
import { projectedFacts } from './price-facts.ts'
import { lockCategory, lockProductMeanwhile, openWriter, untilPublished, whileOpen } from './save-meanwhile.ts'

const DAY_MS = 24 * 3600 * 1000
/** Far enough in the past that no test moves it beyond the validity of its actors' signatures. */
const clock = manualClock('2025-03-03T12:00:00.000Z')
/** How often two writes are tried at once. */
const ROUNDS = amount({ quick: 3, long: 5 })

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging
let redis: Redis

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, {}, clock)
  orders = await suite.openMessaging('orders')
  redis = new Redis(suite.redisUrl)
  await suite.sql(`insert into catalog.categories (slug, name, parent, blurb) values
    ('women', 'Women', null, ''), ('shirts', 'Shirts', 'women', ''), ('sale', 'Sale', null, '')`)
  await suite.sql(`insert into catalog.category_ancestors (slug, ancestor) values
    ('women', 'women'), ('shirts', 'shirts'), ('shirts', 'women'), ('sale', 'sale')`)
  await suite.sql(`insert into catalog.size_charts (id, document) values
    ('tops', '{"id":"tops","unit":"cm","columns":["Size"],"rows":[["M"]]}')`)
})

afterAll(async () => {
  redis.disconnect()
  await suite.stop()
})

interface Sent {
  headers?: Record<string, string>
  payload?: unknown
}

const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, sent: Sent = {}) =>
  injectAsAdmin(catalog.app, suite, method, url, sent)

async function create(payload: unknown): Promise<AdminProduct> {
  const response = await send('POST', '/admin/products', { payload })
  expect(response.statusCode, response.payload).toBe(200)
  return AdminProduct.parse(response.json())
}

async function patch(id: string, payload: unknown, headers: Record<string, string> = {}): Promise<AdminProduct> {
  const response = await send('PATCH', `/admin/products/${id}`, { payload, headers })
  expect(response.statusCode, response.payload).toBe(200)
  return AdminProduct.parse(response.json())
}

async function readAdmin(id: string): Promise<AdminProduct> {
  return AdminProduct.parse((await send('GET', `/admin/products/${id}`)).json())
}

async function list(query = ''): Promise<{ items: AdminProduct[]; total: number; page: number; perPage: number }> {
  const response = await send('GET', `/admin/products?${query}`)
  expect(response.statusCode, response.payload).toBe(200)
  const { items, total } = listOf(AdminProduct).parse(response.json())
  return { ...response.json<{ page: number; perPage: number }>(), items, total }
}

const page = async (slug: string) => catalog.app.inject({ url: `/products/${slug}` })
const storefront = async (slug: string) => Product.parse((await page(slug)).json())

async function errorOf(method: 'POST' | 'PATCH', url: string, payload: unknown) {
  const response = await send(method, url, { payload })
  const body = response.json<{ code: string; detail?: { issues?: { path: string }[] } }>()
  return { status: response.statusCode, code: body.code, paths: body.detail?.issues?.map((issue) => issue.path) }
}

let counter = 0
const unique = (word: string) => `${word}-${counter++}`

/** The ledger adds up to the stock in every case. */
async function stockOf(variantId: string) {
  const [row] = await suite.sql<{ onHand: number; reserved: number; onHandSum: number; reservedSum: number }>(
    `select on_hand as "onHand", reserved,
      (select coalesce(sum(on_hand_delta), 0)::int from catalog.stock_movements m where m.variant_id = s.variant_id) as "onHandSum",
      (select coalesce(sum(reserved_delta), 0)::int from catalog.stock_movements m where m.variant_id = s.variant_id) as "reservedSum"
     from catalog.stock s where variant_id = $1`,
    [variantId],
  )
  expect([row?.onHandSum, row?.reservedSum]).toEqual([row?.onHand, row?.reserved])
  return { onHand: row?.onHand ?? -1, reserved: row?.reserved ?? -1 }
}

const reserve = (variantId: string, quantity: number) =>
  sendRequest(orders, ReserveInventory, {
    reservationId: newId('reservation'),
    lines: [{ variantId, quantity }],
    ttlSeconds: 3600,
  })

const factsOf = (variantId: string) => projectedFacts(redis, suite, variantId)

describe('a new product', () => {
  test('needs a title and a price, and gets defaults for all other fields', async () => {
    const response = await send('POST', '/admin/products', { payload: { title: 'Été en Lin', price: usd(4000) } })
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({ etag: expect.stringMatching(/^"1\.\d+"$/) })
    const product = AdminProduct.parse(response.json())
    expect(product).toMatchObject({
      slug: 'ete-en-lin',
      published: true,
      version: 1,
      position: null,
      relatedSlugs: [],
      publishAt: null,
      unpublishAt: null,
      pinnedBadges: [],
      badges: ['new', 'sold-out'],
      createdAt: clock.now().toISOString(),
      compareAtPrice: null,
      variants: [
        { sku: 'ETE-EN-LIN', options: {}, inventory: 0, available: false, price: usd(4000), priceOverride: false },
      ],
    })
    const { position, relatedSlugs, publishAt, unpublishAt, ...rest } = await readAdmin(product.id)
    const { version, pinnedBadges, variants, ...shown } = rest
    expect({ position, relatedSlugs, publishAt, unpublishAt, ...rest }).toEqual(product)
    expect(version).toBe(1)
    expect(pinnedBadges).toEqual([])
    const made = { Size: 'One size', Color: 'As shown' }
    expect(await storefront('ete-en-lin')).toEqual({
      ...shown,
      options: Object.entries(made).map(([name, value]) => ({ name, values: [value] })),
      variants: variants.map(({ priceOverride: _own, ...variant }) => ({ ...variant, options: made })),
    })
    await untilPublished(suite)
    expect((await suite.eventsOf(ProductUpdated)).filter((event) => event.productId === product.id)).toHaveLength(1)
  })

  test('is in lists, bootstrap and search at once, and in the price projection', async () => {
    const slug = unique('peculiar')
    const { variants } = await create({ ...shirt(slug), title: 'Peculiarity', categories: ['shirts'] })
    const found = ProductList.parse((await catalog.app.inject({ url: '/products?q=peculiarity' })).json())
    expect(found.items.map((item) => item.slug)).toEqual([slug])
    const inBranch = ProductList.parse(
      (await catalog.app.inject({ url: '/products?category=women&per_page=48' })).json(),
    )
    expect(inBranch.items.map((item) => item.slug)).toContain(slug)
    expect(await factsOf(variants[0]?.id ?? '')).toMatchObject({
      productSlug: slug,
      sku: variants[0]?.sku,
      price: usd(4000),
      published: true,
    })
  })

  test('gets an unused slug, former slugs included', async () => {
    const title = unique('Numbered')
    const base = title.toLowerCase()
    const first = await create({ title, price: usd(1) })
    const second = await create({ title, price: usd(1) })
    expect([first.slug, second.slug]).toEqual([base, `${base}-2`])
    await patch(second.id, { slug: unique('moved') })
    expect((await create({ title, price: usd(1) })).slug).toBe(`${base}-3`)
    expect(await storefront(`${base}-2`)).toMatchObject({ id: second.id })
    // A given slug may be a former one.
    const other = await create({ title, slug: `${base}-2`, price: usd(1) })
    expect(await storefront(`${base}-2`)).toMatchObject({ id: other.id })
    // The service looks for a free number up to 21 first, and then among the others.
    const taken = Array.from({ length: 16 }, (_, index) => shirt(`${base}-${index + 4}`))
    expect((await importCatalogue(catalog.app, suite, { products: taken })).statusCode).toBe(200)
    for (let number = 20; number < 25; number++)
      expect((await create({ title, price: usd(1) })).slug).toBe(`${base}-${number}`)
  })

  test('is rejected with a slug or SKU that is taken', async () => {
    const slug = unique('taken')
    const { id } = await create(shirt(slug))
    const other = await create(shirt(unique('other')))
    const sku = `${slug}-S`.toUpperCase()
    const withSku = { title: 'Shirt', price: usd(1), variants: [{ sku, options: { Size: 'S' } }] }
    expect(await errorOf('POST', '/admin/products', { ...shirt(slug) })).toMatchObject({
      status: 409,
      code: 'slug_taken',
    })
    expect(await errorOf('POST', '/admin/products', withSku)).toMatchObject({ status: 409, code: 'sku_taken' })
    const url = `/admin/products/${other.id}`
    expect(await errorOf('PATCH', url, { slug })).toMatchObject({ status: 409, code: 'slug_taken' })
    expect(await errorOf('PATCH', url, { variants: withSku.variants })).toMatchObject({
      status: 409,
      code: 'sku_taken',
    })
    expect((await readAdmin(id)).slug).toBe(slug)
    expect(await readAdmin(other.id)).toEqual(other)
  })

  test('whose generated SKU another product has gets a different one', async () => {
    const one = await create({ title: 'Clash', slug: 'clash-a', price: usd(1), variants: [{ options: { Size: 'B' } }] })
    const other = await create({ title: 'Clash', slug: 'clash-a-b', price: usd(1) })
    expect(one.variants[0]?.sku).toBe('CLASH-A-B')
    expect(other.variants[0]?.sku).toMatch(/^CLASH-A-B-[0-9A-F]{8}$/)
    const title = 'long '.repeat(40)
    const skus = [await create({ title, price: usd(1) }), await create({ title, price: usd(1) })].map(
      ({ variants }) => variants[0]?.sku,
    )
    expect(new Set(skus).size).toBe(2)
    expect(Math.max(...skus.map((sku = '') => sku.length))).toBeLessThanOrEqual(100)
  })

  test('that is a copy of another, sent as it was read, is a separate product', async () => {
    const original = await create(shirt(unique('original'), { inventory: 3 }))
    const variants = original.variants.map(({ sku: _sku, ...variant }) => variant)
    const copy = await create({ ...original, slug: undefined, variants })
    expect(copy.id).not.toBe(original.id)
    expect(copy.variants.map((each) => each.id)).not.toEqual(original.variants.map((each) => each.id))
    expect(await readAdmin(original.id)).toEqual(original)
  })
})

describe('permissions', () => {
  test('only an admin with the permission writes; others see and change nothing', async () => {
    const { id } = await create(shirt(unique('guarded')))
    const calls = [
      ['GET', '/admin/products'],
      ['GET', `/admin/products/${id}`],
      ['POST', '/admin/products'],
      ['PATCH', `/admin/products/${id}`],
      ['DELETE', `/admin/products/${id}`],
    ] as const
    const reader = suite.headers.admin(['catalog:read'])
    for (const [method, url] of calls) {
      const payload = { title: 'Stolen', price: usd(1) }
      const sent = method === 'GET' || method === 'DELETE' ? {} : { payload }
      const status = async (headers: Record<string, string>) =>
        (await send(method, url, { ...sent, headers })).statusCode
      expect(await status(suite.headers.anonymous()), `${method} ${url}`).toBe(401)
      expect(await status(suite.headers.customer('cus_1')), `${method} ${url}`).toBe(403)
      expect(await status(suite.headers.admin(['orders:write'])), `${method} ${url}`).toBe(403)
      expect(await status(reader), `${method} ${url}`).toBe(method === 'GET' ? 200 : 403)
    }
    expect((await readAdmin(id)).title).not.toBe('Stolen')
  })

  test('no cache stores a response of merchants', async () => {
    const { id } = await create(shirt(unique('private')))
    for (const url of ['/admin/products', `/admin/products/${id}`]) {
      expect((await send('GET', url)).headers['cache-control']).toBe('private, no-store')
    }
  })
})

describe('a draft', () => {
  test('is visible only to merchants until it is published, and again when it is hidden', async () => {
    const slug = unique('draft')
    const { id } = await create({ ...shirt(slug), title: 'Hidden draft', published: false })
    const matches = async () =>
      ProductList.parse((await catalog.app.inject({ url: '/products?per_page=48&q=hidden+draft' })).json()).total
    expect((await page(slug)).statusCode).toBe(404)
    expect(await matches()).toBe(0)
    expect((await readAdmin(id)).published).toBe(false)
    await patch(id, { published: true })
    expect((await page(slug)).statusCode).toBe(200)
    expect(await matches()).toBe(1)
    const hidden = await patch(id, { published: false })
    expect((await page(slug)).statusCode).toBe(404)
    expect(await matches()).toBe(0)
    expect(await factsOf(hidden.variants[0]?.id ?? '')).toMatchObject({ published: false })
  })
})

const rich = (slug: string) => ({
  ...shirt(slug, { sizes: ['S', 'M'], inventory: 4 }),
  subtitle: 'Light',
  description: 'Long',
  details: ['one'],
  care: ['wash'],
  compareAtPrice: usd(5000),
  images: [{ url: '/media/a.jpg', alt: 'Front', color: 'Navy' }, { url: 'https://cdn.test/b.jpg' }],
  options: [{ name: 'Size', values: ['S', 'M'] }],
  swatches: { Navy: '#001', Ecru: '#eee', Bordeaux: '#800' },
  categories: ['shirts', 'sale'],
  tags: ['linen', 'summer'],
  position: 3,
  fit: { verdict: 'runs-small', note: 'Snug', model: { height: 180, size: 'M' } },
  fabric: { composition: [['linen', 100]], weight: 150.5 },
  sizeChartId: 'tops',
  enrichment: { highlights: [{ key: 'fabric', value: 'Linen' }], specs: { weave: 'Plain weave', fabric: 'Linen' } },
  relatedSlugs: ['other'],
})

describe('a change', () => {
  test('leaves fields that it does not name unchanged', async () => {
    const before = await create(rich(unique('partial')))
    const after = await patch(before.id, { subtitle: 'Heavy' })
    expect(after).toEqual({ ...before, subtitle: 'Heavy', version: 2 })
    expect(await storefront(before.slug)).toMatchObject({ subtitle: 'Heavy', sizeChart: { id: 'tops' } })
    expect((await send('GET', `/admin/products/${before.id}`)).headers).toMatchObject({
      etag: expect.stringMatching(/^"2\.\d+"$/),
    })
  })

  test('of categories stores those above another, which shoppers do not see', async () => {
    const { id, slug } = await create({ ...shirt(unique('branch')), categories: ['women'] })
    expect((await storefront(slug)).categories).toEqual(['women'])
    const { categories } = await patch(id, { categories: ['women', 'shirts', 'sale'] })
    expect(categories).toEqual(['sale', 'shirts', 'women'])
    expect((await storefront(slug)).categories).toEqual(['sale', 'shirts'])
  })

  test('of the title changes the alt of images that have the title as theirs, also of those that are sent back', async () => {
    const { id, slug, images } = await create(rich(unique('renamed')))
    await patch(id, { title: 'Cotton shirt' })
    const shown = await storefront(slug)
    expect(shown.images.map(({ alt }) => alt)).toEqual(['Front', 'Cotton shirt'])
    const sentBack = await patch(id, { title: 'Wool shirt', images: shown.images })
    expect(sentBack.images.map(({ alt }) => alt)).toEqual(['Front', 'Wool shirt'])
    expect(sentBack.images.map((image) => image.id)).toEqual(images.map((image) => image.id))
  })

  test.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T09:30:00+02:00', '2026-03-01T07:30:00.000Z'],
  ])('accepts %s as the time of creation', async (createdAt, read) => {
    const { id } = await create(shirt(unique('created')))
    expect((await patch(id, { createdAt })).createdAt).toBe(read)
  })

  test('replaces arrays and blocks, and null resets a field to the default of a new product', async () => {
    const { id } = await create(rich(unique('cleared')))
    const replaced = await patch(id, { tags: ['wool'], fit: { note: 'Loose' }, swatches: { Sand: '#ddd' } })
    expect(replaced).toMatchObject({ tags: ['wool'], fit: { note: 'Loose' }, swatches: { Sand: '#ddd' } })
    expect(replaced.fit).not.toHaveProperty('verdict')
    const clearable = ['subtitle', 'description', 'details', 'care', 'compareAtPrice', 'images', 'swatches',
      'categories', 'tags', 'badges', 'position', 'fit', 'fabric', 'sizeChartId', 'enrichment', 'relatedSlugs'] // oxfmt-ignore
    const cleared = await patch(id, Object.fromEntries(clearable.map((name) => [name, null])))
    const bare = await create({ title: cleared.title, price: usd(4000) })
    const clearableOf = (product: AdminProduct) =>
      Object.fromEntries(Object.entries(product).filter(([name]) => clearable.includes(name)))
    expect({ ...clearableOf(cleared), badges: [] }).toEqual({ ...clearableOf(bare), badges: [] })
    expect(cleared.variants).toHaveLength(2)
    for (const name of ['title', 'slug', 'price', 'published', 'variants', 'createdAt']) {
      expect(await errorOf('PATCH', `/admin/products/${id}`, { [name]: null }), name).toMatchObject({
        status: 422,
        paths: [name],
      })
    }
  })

  test('writes no derived fields of a record that is older than the reviews', async () => {
    const before = await create(rich(unique('derived')))
    const after = await patch(before.id, {
      id: before.id,
      rating: { average: 5, count: 1000 },
      social: { unitsAvailable: 1, boughtLast30Days: 999, savedCount: 9 },
      sizeChart: { id: 'mine', unit: 'cm', columns: [], rows: [] },
      fit: { ...before.fit, feedback: { small: 100, true: 0, large: 0 }, sample: 99 },
      badges: ['sale', 'low-stock', 'sold-out'],
      version: 99,
    })
    expect(after).toEqual(before)
  })

  test.each<[string, Record<string, unknown>]>([
    ['rating', { rating: { average: 5, count: 1000 } }],
    ['social', { social: { unitsAvailable: 1, boughtLast30Days: 999, savedCount: 9 } }],
    ['sizeChart', { sizeChart: { id: 'mine', unit: 'cm', columns: [], rows: [] } }],
    ['version', { version: 99 }],
    ['fit.feedback', { fit: { feedback: { small: 100, true: 0, large: 0 } } }],
    ['fit.sample', { fit: { note: 'Loose', sample: 99 } }],
    ['id', { id: 'prod_other' }],
  ])('cannot set %s, which would have no effect', async (path, payload) => {
    const before = await create(rich(unique('read-only')))
    const response = await send('PATCH', `/admin/products/${before.id}`, { payload })
    expect(response.json()).toMatchObject({ code: 'read_only_field', detail: { path } })
    expect((await patch(before.id, { rating: before.rating, version: before.version })).version).toBe(before.version)
  })

  test('with an unknown field is rejected with the nearest name', async () => {
    const before = await create(rich(unique('unknown')))
    const payload = { headline: 'A', variants: [{ ...before.variants[0], onHand: 5 }], price: { cents: 1 } }
    const response = await send('PATCH', `/admin/products/${before.id}`, { payload })
    expect(response.json().detail.fields[2]).toEqual({ path: 'price.cents' })
    expect(response.json()).toMatchObject({
      code: 'unknown_field',
      message: 'Unknown field `headline`. Did you mean `title`? 2 more are listed in the detail.',
      detail: {
        fields: [
          { path: 'headline', nearest: 'title' },
          { path: 'variants.0.onHand', nearest: 'variants.0.inventory' },
          { path: 'price.cents' },
        ],
        issues: expect.arrayContaining([{ path: 'price.amount', message: expect.any(String) }]),
      },
    })
  })

  test('of the slug keeps the old one working', async () => {
    const { id, slug } = await create(shirt(unique('address')))
    const moved = unique('address-moved')
    expect((await patch(id, { slug: moved })).slug).toBe(moved)
    expect(await storefront(slug)).toMatchObject({ id, slug: moved })
    await patch(id, { slug })
    expect(await storefront(moved)).toMatchObject({ id, slug })
  })

  test('of a product that does not exist is rejected', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const response = await send(method, '/admin/products/prod_none', method === 'PATCH' ? { payload: {} } : {})
      expect(response.json()).toMatchObject({ code: 'not_found' })
    }
  })

  test('purges outdated responses, and one without changes purges nothing and makes no version', async () => {
    const { id, slug } = await create(shirt(unique('purge')))
    const purged = async (payload: unknown) =>
      String((await send('PATCH', `/admin/products/${id}`, { payload })).headers['surrogate-purge'] ?? '').split(' ')
    expect(await purged({ title: 'Fresh' })).toEqual(expect.arrayContaining([`product:${slug}`, 'products']))
    const moved = unique('purge-moved')
    expect(await purged({ slug: moved })).toEqual(expect.arrayContaining([`product:${slug}`, `product:${moved}`]))
    const before = await readAdmin(id)
    expect(await purged({ title: 'Fresh', slug: moved })).toEqual([''])
    expect(await purged({})).toEqual([''])
    expect(await readAdmin(id)).toEqual(before)
  })
})

describe('a record that was read and is sent back', () => {
  test('changes nothing, whatever derived fields it has', async () => {
    const { id } = await create(rich(unique('echo')))
    const before = await readAdmin(id)
    const audited = await auditOf(suite, 'product', id)
    expect(await patch(id, before)).toEqual(before)
    const fromPage = await storefront(before.slug)
    expect(await patch(id, fromPage)).toEqual(before)
    const bare = await create({ title: 'Without pictures', price: usd(1) })
    expect(await patch(bare.id, bare)).toEqual(bare)
    const [row] = await suite.sql<{ images: unknown }>(
      `select document->'images' as images from catalog.products where id = $1`,
      [bare.id],
    )
    expect(row?.images).toEqual([])
    const [stored] = await suite.sql<{ url: string }>(
      `select document->'images'->0->>'url' as url from catalog.products where id = $1`,
      [id],
    )
    expect(stored?.url).toBe('/media/a.jpg')
    expect(before.images[0]?.url).toBe(`${PUBLIC_URL}/media/a.jpg`)
    expect(await auditOf(suite, 'product', id)).toEqual(audited)
  })

  test('with another price applies it to the variants that have no price of their own', async () => {
    const sizes = ['S', 'M', 'L']
    const { id } = await create({
      ...shirt(unique('cascade'), { sizes }),
      compareAtPrice: usd(5000),
      variants: sizes.map((size) => ({ options: { Size: size }, ...(size === 'L' && { price: usd(4500) }) })),
    })
    const before = await readAdmin(id)
    expect(before.variants.map((each) => each.priceOverride)).toEqual([false, false, true])
    const moreExpensive = await patch(id, { ...before, price: usd(6000), compareAtPrice: null })
    expect(moreExpensive.variants.map((each) => each.price.amount)).toEqual([6000, 6000, 4500])
    expect(moreExpensive.variants.map((each) => each.compareAtPrice)).toEqual([null, null, null])
    // A variant's own price that equals the product's stays its own.
    const agreeing = await patch(id, { ...moreExpensive, price: usd(4500) })
    expect(agreeing.variants.map((each) => each.price.amount)).toEqual([4500, 4500, 4500])
    const apart = await patch(id, { price: usd(7000) })
    expect(apart.variants.map((each) => each.price.amount)).toEqual([7000, 7000, 4500])
    const dropped = await patch(id, {
      variants: apart.variants.map(({ id, priceOverride }) => ({ id, ...(priceOverride && { price: null }) })),
    })
    expect(dropped.variants.map((each) => each.price.amount)).toEqual([7000, 7000, 7000])
    expect(dropped.variants.map((each) => each.priceOverride)).toEqual([false, false, false])
  })

  test('that ends a sale ends it for variants that were sent with the prices of the product', async () => {
    const sale = { price: usd(9600), compareAtPrice: usd(12_000) }
    const sizes = ['S', 'M', 'L', 'XL']
    const given = { ...shirt(unique('sale'), { sizes }), ...sale }
    const own = [{}, {}, { compareAtPrice: usd(13_000) }, { priceOverride: true }]
    const variants = sizes.map((size, index) => ({ options: { Size: size }, ...sale, ...own[index] }))
    const { id, variants: made } = await create({ ...given, variants })
    // An earlier version stored variants in this way.
    await suite.sql('update catalog.variants set compare_at_minor = 12000 where id = $1', [made[1]?.id])
    const after = await patch(id, { price: usd(10_000), compareAtPrice: null })
    expect(after.variants.map((each) => each.price.amount)).toEqual([10_000, 10_000, 10_000, 9600])
    expect(after.variants.map((each) => each.compareAtPrice)).toEqual([null, null, usd(13_000), usd(12_000)])
  })

  test('pins no badge that was only derived, and a pinned badge stays until it is removed', async () => {
    const { id, slug } = await create(shirt(unique('badges')))
    const before = await readAdmin(id)
    expect(before.badges).toEqual(['new'])
    await patch(id, { ...before, title: 'Renamed' })
    // A client without knowledge of pins sends only the badges.
    const { pinnedBadges: _, ...plain } = await readAdmin(id)
    await patch(id, { ...plain, title: 'Renamed again' })
    const pinnedOne = await create({ ...shirt(unique('pinned')), badges: ['new', 'sale'] })
    expect(pinnedOne.pinnedBadges).toEqual(['new'])
    clock.advance(31 * DAY_MS)
    await patch(id, { subtitle: 'Old by now' })
    expect((await storefront(slug)).badges).toEqual([])
    const { badges } = await patch(pinnedOne.id, { subtitle: 'Old as well' })
    expect(badges).toEqual(['new'])
    const { pinnedBadges: __, ...stillPinned } = await readAdmin(pinnedOne.id)
    expect((await patch(pinnedOne.id, stillPinned)).pinnedBadges).toEqual(['new'])
    expect((await patch(pinnedOne.id, { badges: ['bestseller'] })).badges).toEqual(['bestseller'])
    expect((await patch(pinnedOne.id, { pinnedBadges: ['new'] })).badges).toEqual(['new'])
    expect((await patch(pinnedOne.id, { badges: [] })).badges).toEqual([])
    // A record that was read while the product was new contains no pins.
    expect((await patch(id, { ...before, title: 'Sent late' })).badges).toEqual([])
  })
})

describe('variants', () => {
  test('are identified by id, else by SKU, else by options, and keep fields that are left out', async () => {
    const slug = unique('known')
    const images = ['back', 'front'].map((side) => ({ id: side, url: `/${side}.jpg` }))
    const { id, variants } = await create(shirt(slug, { sizes: ['S', 'M', 'L'], inventory: 5, images }))
    const [small, medium, large] = variants
    const after = await patch(id, {
      options: [{ name: 'Size', values: ['S', 'M', 'L', 'XL'] }],
      variants: [
        { options: { Size: 'L' }, price: usd(4900) },
        { sku: medium?.sku, imageId: 'front' },
        { id: small?.id, sku: `${slug}-x` },
        { options: { Size: 'XL' } },
      ],
    })
    expect(after.variants).toMatchObject([
      { id: large?.id, sku: large?.sku, inventory: 5, price: usd(4900) },
      { id: medium?.id, options: { Size: 'M' }, imageId: 'front', inventory: 5 },
      { id: small?.id, sku: `${slug}-x`, options: { Size: 'S' }, inventory: 5 },
      { sku: `${slug}-XL`.toUpperCase(), inventory: 0 },
    ])
  })

  test('swap their SKUs in one change', async () => {
    const { id, variants } = await create(shirt(unique('swap')))
    const [one, other] = variants
    const swapped = await patch(id, {
      variants: [
        { id: one?.id, sku: other?.sku },
        { id: other?.id, sku: one?.sku },
      ],
    })
    expect(swapped.variants.map(({ id, sku }) => [id, sku])).toEqual([
      [one?.id, other?.sku],
      [other?.id, one?.sku],
    ])
  })

  test('that share their options, or an id twice, are distinguished or rejected, never mixed up', async () => {
    const product = await create({
      title: unique('Twins'),
      price: usd(1),
      variants: [{ options: {} }, { options: {} }],
    })
    const ids = product.variants.map((each) => each.id)
    expect(new Set(ids).size).toBe(2)
    expect(
      (await patch(product.id, { variants: [{ options: {} }, { options: {} }] })).variants.map((each) => each.id),
    ).toEqual(ids)
    const [id] = ids
    const twice = await patch(product.id, { variants: [{ id }, { id }] })
    expect(twice.variants.map((each) => each.id)).toEqual(ids)
    const sameSku = {
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [
        { sku: 'twin', options: { Size: 'S' } },
        { sku: 'twin', options: { Size: 'M' } },
      ],
    }
    expect(await errorOf('PATCH', `/admin/products/${product.id}`, sameSku)).toMatchObject({
      status: 422,
      paths: ['variants.1.sku'],
    })
  })

  test('of another product cannot be claimed by their id', async () => {
    const victim = await create(shirt(unique('victim'), { inventory: 7 }))
    const thief = await create(
      shirt(unique('thief'), { inventory: 0, options: [{ name: 'Size', values: ['S', 'M', 'L'] }] }),
    )
    const stolen = victim.variants[0]?.id
    const after = await patch(thief.id, { variants: [{ id: stolen, options: { Size: 'L' }, inventory: 1 }] })
    expect(after.variants[0]?.id).not.toBe(stolen)
    expect(await readAdmin(victim.id)).toEqual(victim)
  })

  test('that are deleted are withdrawn from the price projection and cannot be bought, and their ledger stays', async () => {
    const { id, variants } = await create(shirt(unique('withdrawn'), { inventory: 6 }))
    const gone = variants[1]?.id ?? ''
    await patch(id, { variants: [{ id: variants[0]?.id }] }, { 'if-match': '"1"' })
    expect(await factsOf(gone)).toBeUndefined()
    expect(await factsOf(variants[0]?.id ?? '')).toMatchObject({ published: true })
    expect(await reserve(gone, 1)).toMatchObject({ held: false })
    expect(await stockOf(gone)).toEqual({ onHand: 6, reserved: 0 })
    // A product without variants could not be shown: the variants stay.
    expect((await patch(id, { variants: [] })).variants).toHaveLength(1)
  })

  test('whose withdrawal Redis lost are withdrawn by the sweep, whether or not their product is deleted too', async () => {
    const changed = await create(shirt(unique('lost'), { inventory: 0 }))
    const deleted = await create(shirt(unique('lost')))
    const gone = [changed.variants[1]?.id ?? '', ...deleted.variants.map(({ id }) => id)]
    const keys = gone.map((id) => priceEntryKey(suite.namespace, id))
    const before = await Promise.all(keys.map((key) => redis.hgetall(key)))
    await patch(changed.id, { variants: [{ id: changed.variants[0]?.id }] })
    expect((await send('DELETE', `/admin/products/${deleted.id}`)).statusCode).toBe(200)
    for (const [place, key] of keys.entries()) {
      await redis
        .multi()
        .del(key)
        .hset(key, before[place] ?? {})
        .exec()
      expect(await factsOf(gone[place] ?? '')).toMatchObject({ published: true })
    }
    // Everything is compared whenever Redis comes back.
    catalog.context.redis.disconnect(true)
    await waitFor('the sweep', async () => (await Promise.all(gone.map(factsOf))).every((facts) => !facts))
    for (const key of keys) expect(await redis.ttl(key)).toBeGreaterThan(0)
    expect(await factsOf(changed.variants[0]?.id ?? '')).toMatchObject({ published: true })
    const returned = await patch(changed.id, {
      variants: [{ id: changed.variants[0]?.id }, { sku: changed.variants[1]?.sku, options: { Size: 'M' } }],
    })
    expect(returned.variants[1]?.id).toBe(gone[0])
    expect(await factsOf(gone[0] ?? '')).toMatchObject({ published: true })
  })

  test('whose changes were lost when a standby was promoted are dropped by the sweep, and written as they are by the next one', async () => {
    const { variants } = await create(shirt(unique('promoted'), { sizes: ['M'], inventory: 6 }))
    const variantId = variants[0]?.id ?? ''
    const key = priceEntryKey(suite.namespace, variantId)
    const settingsKey = priceSettingsKey(suite.namespace)
    const before = await redis.hgetall(key)
    const lost = { ...(await factsOf(variantId)), price: usd(1) }
    const later = 1_000_000
    const { facts, factsVersion, stock, stockVersion } = PRICE_FIELDS
    await redis.hset(key, { [facts]: JSON.stringify(lost), [factsVersion]: later, [stock]: 99, [stockVersion]: later })
    await redis.hset(settingsKey, { version: later })
    // Everything is compared whenever Redis comes back.
    catalog.context.redis.disconnect(true)
    await waitFor('the sweep', async () => (await redis.exists(key, settingsKey)) === 0)
    catalog.context.redis.disconnect(true)
    await waitFor('the next sweep', async () => (await redis.exists(key, settingsKey)) === 2)
    expect(await redis.hgetall(key)).toEqual(before)
    expect(Number(await redis.hget(settingsKey, 'version'))).toBeLessThan(later)
  })

  test('have quantities set in the ledger, and reserved units stay reserved', async () => {
    const { id, variants } = await create(shirt(unique('ledger'), { sizes: ['M'], inventory: 10 }))
    const variantId = variants[0]?.id ?? ''
    expect(await reserve(variantId, 4)).toMatchObject({ held: true })
    const after = await patch(id, { variants: [{ id: variantId, inventory: 3 }] })
    expect(after.variants[0]?.inventory).toBe(3)
    // A change of stock makes no new version, but is shown at once.
    expect(after.version).toBe(1)
    expect((await storefront(after.slug)).variants[0]?.inventory).toBe(3)
    expect(await stockOf(variantId)).toEqual({ onHand: 7, reserved: 4 })
    const movements = await suite.sql<{ kind: string; on_hand_delta: number; named: boolean }>(
      `select kind, on_hand_delta, actor is not null as named from catalog.stock_movements where variant_id = $1 order by id`,
      [variantId],
    )
    expect(movements.filter(({ kind }) => kind === 'set')).toEqual([
      { kind: 'set', on_hand_delta: 10, named: true },
      { kind: 'set', on_hand_delta: -3, named: true },
    ])
  })

  test('keep purchases that happened while the product was read and changed in other ways', async () => {
    const { id, variants } = await create(shirt(unique('bought'), { sizes: ['M'], inventory: 10 }))
    const variantId = variants[0]?.id ?? ''
    await suite.sql('begin')
    await suite.sql('select 1 from catalog.stock where variant_id = $1 for update', [variantId])
    let done = false
    const changing = patch(id, { title: 'Renamed', variants: [{ id: variantId, price: usd(1) }] })
      .then(() => patch(id, { title: 'Renamed again' }))
      .finally(() => (done = true))
    // A change that depends on the stock would wait here with the old quantity.
    await waitFor('the change', async () => {
      const waiting = await suite.sql(
        'select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
      )
      return done || waiting.length > 0
    })
    await suite.sql(
      `insert into catalog.stock_movements (variant_id, on_hand_delta, reserved_delta, kind, at)
       values ($1, 0, 4, 'reserved', now())`,
      [variantId],
    )
    await suite.sql('update catalog.stock set reserved = 4, version = version + 1 where variant_id = $1', [variantId])
    await suite.sql('commit')
    await changing
    expect(await stockOf(variantId)).toEqual({ onHand: 10, reserved: 4 })
  })

  test('with prices give a product without a price the lowest one, also after later changes', async () => {
    const variants = [
      { options: { Size: 'S' }, price: usd(300) },
      { options: { Size: 'M' }, price: usd(200) },
    ]
    const product = await create({ title: unique('Priced'), variants })
    expect(product.price).toEqual(usd(200))
    const moreExpensive = variants.map((each) => ({ ...each, price: usd(each.price.amount + 500) }))
    const after = await patch(product.id, { variants: moreExpensive })
    expect(after.price).toEqual(usd(700))
    expect(after.variants.map((each) => each.price.amount)).toEqual([800, 700])
  })
})

describe('an invalid change', () => {
  const bare = { title: 'Refused', price: usd(1) }
  const eur = { amount: 1, currency: 'EUR' }

  test('is rejected with the path of the issue, on POST and on PATCH', async () => {
    const { id } = await create({ ...bare, title: unique('Sound') })
    const before = await readAdmin(id)
    const cases: [payload: Record<string, unknown>, code: string, path: string][] = [
      [{ categories: ['nowhere'] }, 'validation_failed', 'categories'],
      [{ sizeChartId: 'nowhere' }, 'validation_failed', 'sizeChartId'],
      [{ price: eur }, 'currency_mismatch', 'price'],
      [{ compareAtPrice: eur }, 'currency_mismatch', 'compareAtPrice'],
      [{ variants: [{ price: eur }] }, 'currency_mismatch', 'variants.0.price'],
      [{ price: { amount: 10.5, currency: 'USD' } }, 'validation_failed', 'price.amount'],
      [{ price: { amount: -1, currency: 'USD' } }, 'validation_failed', 'price.amount'],
      [{ price: { amount: '100', currency: 'USD' } }, 'validation_failed', 'price.amount'],
      [{ price: 100 }, 'validation_failed', 'price'],
      [{ price: usd(10_000_000_001) }, 'validation_failed', 'price.amount'],
      [{ title: ' ' }, 'validation_failed', 'title'],
      [{ title: 'x'.repeat(301) }, 'validation_failed', 'title'],
      [{ title: 'nul\0' }, 'validation_failed', ''],
      [{ title: ['array'] }, 'validation_failed', 'title'],
      [{ slug: 'Not A Slug' }, 'validation_failed', 'slug'],
      [{ images: [{ url: 'javascript:alert(1)' }] }, 'validation_failed', 'images.0.url'],
      [{ images: [{ url: '/a.jpg', alt: ' ' }] }, 'validation_failed', 'images.0.alt'],
      [{ variants: [{ inventory: 1.5 }] }, 'validation_failed', 'variants.0.inventory'],
      [{ variants: [{ inventory: -1 }] }, 'validation_failed', 'variants.0.inventory'],
      [{ variants: [{ inventory: null }] }, 'validation_failed', 'variants.0.inventory'],
      [{ variants: [{ options: { Size: 5 } }] }, 'validation_failed', 'variants.0.options.Size'],
      [{ variants: 'all' }, 'validation_failed', 'variants'],
      [{ badges: ['best'] }, 'validation_failed', 'badges.0'],
      [{ pinnedBadges: ['sale'] }, 'validation_failed', 'pinnedBadges.0'],
      [{ position: 2 ** 31 }, 'validation_failed', 'position'],
      [{ createdAt: 'yesterday' }, 'validation_failed', 'createdAt'],
      [{ enrichment: { specs: { key: 1 } } }, 'validation_failed', 'enrichment.specs.key'],
    ]
    for (const [payload, code, path] of cases) {
      const expected = { status: 422, code, paths: [path] }
      expect(await errorOf('POST', '/admin/products', { ...bare, ...payload }), JSON.stringify(payload)).toEqual(
        expected,
      )
      expect(await errorOf('PATCH', `/admin/products/${id}`, payload), JSON.stringify(payload)).toEqual(expected)
    }
    expect(await errorOf('POST', '/admin/products', { title: 'No price' })).toMatchObject({
      status: 422,
      paths: ['price'],
    })
    expect(await errorOf('POST', '/admin/products', { price: usd(1) })).toMatchObject({ status: 422, paths: ['title'] })
    for (const body of ['[]', '"text"', '1', 'null', '{"title":', '['.repeat(200), '']) {
      for (const [method, url] of [
        ['POST', '/admin/products'],
        ['PATCH', `/admin/products/${id}`],
      ] as const) {
        const headers = { ...suite.headers.admin(), 'content-type': 'application/json' }
        const response = await catalog.app.inject({ method, url, headers, payload: body })
        expect([400, 422], `${method} ${body.slice(0, 10)}`).toContain(response.statusCode)
      }
    }
    expect(await readAdmin(id)).toEqual(before)
  })

  test('a product keeps its prices when the shop’s currency has changed, until they are set', async () => {
    const { id } = await create({ title: unique('Old money'), price: usd(4000) })
    await suite.sql(`update catalog.settings set document = '{"pricing":{"currency":"EUR"}}', version = version + 1`)
    try {
      expect(await patch(id, { title: 'Renamed' })).toMatchObject({ price: usd(4000) })
      expect(await errorOf('PATCH', `/admin/products/${id}`, { price: usd(5000) })).toMatchObject({
        code: 'currency_mismatch',
      })
      expect(await patch(id, { price: { amount: 3000, currency: 'EUR' } })).toMatchObject({
        price: { amount: 3000, currency: 'EUR' },
        variants: [{ price: { amount: 3000, currency: 'EUR' } }],
      })
    } finally {
      await suite.sql(`update catalog.settings set document = '{}', version = version + 1`)
    }
  })

  test('a deleted size chart prevents no other change of a product that refers to it', async () => {
    await suite.sql(`insert into catalog.size_charts (id, document) values ('passing', '{}')`)
    const { id } = await create({ ...bare, title: unique('Charted'), sizeChartId: 'passing' })
    await suite.sql(`delete from catalog.size_charts where id = 'passing'`)
    const read = await readAdmin(id)
    expect(await patch(id, { ...read, title: 'Charted still' })).toMatchObject({ sizeChartId: 'passing' })
  })
})

describe('If-Match', () => {
  test('allows a change with the latest version, and no other', async () => {
    const { id } = await create(shirt(unique('tagged')))
    const attempt = async (ifMatch: string, method: 'PATCH' | 'DELETE' = 'PATCH') => {
      const payload = { title: unique('Tagged') }
      const response = await send(method, `/admin/products/${id}`, {
        headers: { 'if-match': ifMatch },
        ...(method === 'PATCH' && { payload }),
      })
      return response.statusCode === 200 ? 200 : response.json<{ code: string }>().code
    }
    expect(await attempt('"1"')).toBe(200)
    expect(await attempt('"1"')).toBe('conflict')
    expect(await attempt('"7", "2"')).toBe(200)
    expect(await attempt('*')).toBe(200)
    for (const useless of ['W/"4"', '4', '', '"4', 'anything', '"44"'])
      expect(await attempt(useless), useless).toBe('conflict')
    expect((await readAdmin(id)).version).toBe(4)
    expect(await attempt('"3"', 'DELETE')).toBe('conflict')
    expect(await attempt('"4"', 'DELETE')).toBe(200)
  })

  test('keeps a product that was read before a sale from undoing the sale', async () => {
    const { id } = await create(shirt(unique('sold'), { inventory: 5 }))
    const read = await send('GET', `/admin/products/${id}`)
    const tag = String(read.headers.etag)
    const product = AdminProduct.parse(read.json())
    const attempt = (payload: object, ifMatch = tag) =>
      send('PATCH', `/admin/products/${id}`, { payload, headers: { 'if-match': ifMatch } })
    const variantId = product.variants[0]?.id ?? ''
    expect(await reserve(variantId, 2)).toMatchObject({ held: true })
    const rejected = await attempt({ ...product, title: 'Sold' })
    expect(rejected.statusCode, rejected.payload).toBe(409)
    expect(rejected.json()).toMatchObject({ code: 'conflict', message: expect.stringContaining('stock') })
    expect(await stockOf(variantId)).toEqual({ onHand: 5, reserved: 2 })
    // A change without quantities is not affected, nor a client that ignores the stock.
    const renamed = await attempt({ title: 'Sold' })
    expect(renamed.statusCode, renamed.payload).toBe(200)
    expect((await attempt({ title: 'Sold again' })).statusCode).toBe(409)
    const { variants } = AdminProduct.parse(renamed.json())
    const knowing = await attempt({ variants, title: 'Restocked' }, String(renamed.headers.etag))
    expect(knowing.statusCode, knowing.payload).toBe(200)
    expect(await reserve(variantId, 1)).toMatchObject({ held: true })
    expect((await attempt({ variants, title: 'Set' }, '"3"')).statusCode).toBe(200)
    expect((await readAdmin(id)).variants[0]?.inventory).toBe(3)
  })

  test('names no stock that the response does not show, whatever is sold while a change is processed', async () => {
    const { id, variants } = await create(shirt(unique('busy'), { inventory: 100 }))
    const variantId = variants[0]?.id ?? ''
    let accepted = 0
    // Either the sale or the change may be first; at least one sale must be.
    const isEnough = (round: number) => round >= amount({ quick: 6, long: 30 }) && accepted > 0
    for (let round = 0; round < 100 && !isEnough(round); round++) {
      const change = async () => {
        // The sale gets a head start of up to two requests; without it, it is hardly ever first.
        for (let ahead = 0; ahead < round % 3; ahead++) await readAdmin(id)
        return send('PATCH', `/admin/products/${id}`, { payload: { title: `Busy ${round}` } })
      }
      const [changed] = await Promise.all([change(), reserve(variantId, 1)])
      const { etag } = changed.headers
      const { variants: shown } = AdminProduct.parse(changed.json())
      const sentBack = await send('PATCH', `/admin/products/${id}`, {
        payload: { variants: shown },
        headers: { 'if-match': String(etag) },
      })
      if (sentBack.statusCode === 200) accepted++
      expect(await stockOf(variantId), `round ${round}`).toEqual({ onHand: 100, reserved: round + 1 })
    }
    expect(accepted).toBeGreaterThan(0)
  })

  test('allows one of many changes with the same version', async () => {
    const { id, version } = await create(shirt(unique('raced')))
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send('PATCH', `/admin/products/${id}`, {
          payload: { title: `Raced ${index}` },
          headers: { 'if-match': `"${version}"` },
        }),
      ),
    )
    expect(responses.map((response) => response.statusCode).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ])
  })
})

describe('a deleted product', () => {
  test('is missing from every read, its slug and SKUs can be used again, and its ledger stays', async () => {
    const slug = unique('doomed')
    const product = await create({ ...shirt(slug, { inventory: 5 }), title: 'Doomed', categories: ['sale'] })
    const former = product.slug
    await patch(product.id, { slug: unique('doomed-moved') })
    const { slug: latest } = await readAdmin(product.id)
    const variantId = product.variants[0]?.id ?? ''
    const response = await send('DELETE', `/admin/products/${product.id}`)
    expect(response.json()).toEqual({ ok: true })
    expect(String(response.headers['surrogate-purge']).split(' ')).toEqual(
      expect.arrayContaining([`product:${latest}`, 'products', 'listing', 'category:sale']),
    )
    expect((await page(latest)).statusCode).toBe(404)
    expect((await page(former)).statusCode).toBe(404)
    expect((await send('GET', `/admin/products/${product.id}`)).statusCode).toBe(404)
    expect((await list('q=doomed')).total).toBe(0)
    for (const url of ['/products?q=doomed', '/products?category=sale&per_page=48']) {
      const { items } = ProductList.parse((await catalog.app.inject({ url })).json())
      expect(items.map((item) => item.id)).not.toContain(product.id)
    }
    expect(await factsOf(variantId)).toBeUndefined()
    expect(await reserve(variantId, 1)).toMatchObject({ held: false })
    expect(await stockOf(variantId)).toEqual({ onHand: 5, reserved: 0 })
    const deleted = await waitFor('the event', async () => {
      const events = (await suite.eventsOf(ProductDeleted)).filter((event) => event.productId === product.id)
      return events.length > 0 && events
    })
    expect(deleted).toEqual([{ productId: product.id, slug: latest, version: 3 }])
    const again = await create({ ...shirt(slug, { inventory: 1 }) })
    expect(again.variants.map((each) => each.sku)).toEqual(product.variants.map((each) => each.sku))
    expect((await send('DELETE', `/admin/products/${product.id}`)).statusCode).toBe(404)
  })
})

test('a product that is created again under its id can be bought again', async () => {
  const slug = unique('phoenix')
  const given = { ...shirt(slug, { sizes: ['M'] }), id: `prod_${slug}` }
  for (const title of ['First', 'Second', 'Third']) {
    const variants = given.variants.map((variant) => ({ ...variant, id: `var_${slug}` }))
    const loaded = await importCatalogue(catalog.app, suite, { products: [{ ...given, variants, title }] })
    expect(loaded.statusCode, loaded.payload.slice(0, 300)).toBe(200)
    expect(await factsOf(`var_${slug}`)).toMatchObject({ title, published: true })
    await patch(given.id, { subtitle: 'Changed' })
    expect((await send('DELETE', `/admin/products/${given.id}`)).statusCode).toBe(200)
    expect(await factsOf(`var_${slug}`)).toBeUndefined()
  }
})

describe('the merchant’s list', () => {
  test('finds a part of every word in title, slug, tags and SKUs, ignoring accents and case', async () => {
    const slug = unique('searched')
    const product = await create({
      ...shirt(slug, { sizes: ['M'], inventory: 0 }),
      title: 'Zwölf 100%_Hemden \\ Ärmel',
      tags: ['Küste'],
      published: false,
    })
    const ids = async (q: string) => (await list(`q=${encodeURIComponent(q)}`)).items.map((item) => item.id)
    for (const q of [
      'zwolf',
      'WÖLF',
      'hemd armel',
      slug.slice(2),
      product.id,
      'kuste',
      `${slug}-M`,
      '100%_',
      '%_H',
      '\\ armel',
      ' zwolf  hemd ',
    ]) {
      expect(await ids(q), q).toEqual([product.id])
    }
    for (const q of ['zwolf missing', '1_0', 'zwolf%armel', `${slug}-S`]) expect(await ids(q), q).toEqual([])
    await patch(product.id, { title: 'Renamed', variants: [{ sku: unique('ZZTOP') }] })
    expect(await ids('zwolf')).toEqual([])
    expect(await ids('zztop renamed')).toEqual([product.id])
  })

  test('has the products with given slugs in their order, drafts too, and leaves out unknown ones', async () => {
    const [first, second, third] = [unique('named'), unique('named'), unique('named')]
    for (const slug of [first, second, third]) await create({ ...shirt(slug), published: slug !== second })
    const named = await list(`slugs=${third},none,${second},${first},${third}`)
    expect(named).toMatchObject({ items: [{ slug: third }, { slug: second }, { slug: first }], total: 3 })
    expect((await list(`slugs=${third},${first}&per_page=1&page=2`)).items).toMatchObject([{ slug: first }])
    expect((await list('slugs=')).total).toBe(0)
    const many = Array.from({ length: 101 }, (_, index) => `many-${index}`)
    const rejected = await send('GET', `/admin/products?slugs=${many.join(',')}`)
    expect(rejected.json().detail.issues).toEqual([{ path: 'slugs', message: 'must not be more than 100 slugs' }])
  })

  test('filters by state and branch, in the requested order, and counts all matches', async () => {
    const word = unique('filtered').replace('-', '')
    const made: AdminProduct[] = []
    for (const [index, title] of ['delta', 'alpha', 'Charlie', 'bravo'].entries()) {
      clock.advance(1000)
      made.push(
        await create({
          title: `${title} ${word}`,
          price: usd((index * 7) % 4),
          published: index % 2 === 0,
          categories: index < 2 ? ['shirts'] : ['sale'],
        }),
      )
    }
    const names = async (query: string) =>
      (await list(`q=${word}&${query}`)).items.map((item) => item.title.split(' ')[0]?.toLowerCase())
    expect(await names('')).toEqual(['bravo', 'charlie', 'alpha', 'delta'])
    expect(await names('sort=oldest')).toEqual(['delta', 'alpha', 'charlie', 'bravo'])
    expect(await names('sort=title')).toEqual(['alpha', 'bravo', 'charlie', 'delta'])
    expect(await names('sort=price-asc')).toEqual(['delta', 'bravo', 'charlie', 'alpha'])
    expect(await names('sort=price-desc')).toEqual(['alpha', 'charlie', 'bravo', 'delta'])
    expect(await names('published=true')).toEqual(['charlie', 'delta'])
    expect(await names('published=false')).toEqual(['bravo', 'alpha'])
    expect(await names('published=&category=')).toEqual(['bravo', 'charlie', 'alpha', 'delta'])
    expect(await names('category=women')).toEqual(['alpha', 'delta'])
    expect(await names('category=nowhere')).toEqual([])
    expect(await list(`q=${word}&per_page=3&page=2`)).toMatchObject({
      total: 4,
      page: 2,
      perPage: 3,
      items: [{ id: made[0]?.id }],
    })
    expect(await list(`q=${word}&per_page=3&page=9`)).toMatchObject({ total: 4, items: [] })
  })

  test('has pages of 25, at most 100, and rejects page numbers that are not numbers', async () => {
    const total = (await list()).total
    expect(await list()).toMatchObject({ perPage: 25, page: 1 })
    expect(await list('per_page=1000')).toMatchObject({ perPage: 100 })
    expect(await list('per_page=0&page=-3')).toMatchObject({ perPage: 1, page: 1, total })
    for (const query of ['per_page=x', 'page=1.5', 'sort=best', 'published=maybe', `q=${'x'.repeat(501)}`, 'q=%00']) {
      expect((await send('GET', `/admin/products?${query}`)).statusCode, query).toBe(422)
    }
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(total / 10) }, (_, index) => list(`per_page=10&page=${index + 1}`)),
    )
    expect(new Set(pages.flatMap(({ items }) => items.map((item) => item.id))).size).toBe(total)
  })
})

describe('suggestions', () => {
  const attributes = async () => Vocabulary.parse((await catalog.app.inject({ url: '/attributes' })).json()).items
  const attribute = async (key: string) => (await attributes()).find((each) => each.key === key)

  test('are learned from highlights and specifications, with every value found', async () => {
    const key = unique('cuffStyle')
    const enrichment = {
      highlights: [
        { key, value: 'Barrel' },
        { key: 'fabric', value: 'Unheard of' },
      ],
      specs: { [key]: 'French' },
    }
    const { id } = await create({ title: unique('Learned'), price: usd(1), enrichment })
    expect(await attribute(key)).toMatchObject({ values: ['Barrel', 'French'], custom: true, group: 'details' })
    expect(JSON.stringify(await attribute('fabric'))).not.toContain('Unheard of')
    await untilPublished(suite)
    const settings = (await suite.eventsOf(SettingsUpdated)).length
    const response = await send('PATCH', `/admin/products/${id}`, {
      payload: { enrichment: { specs: { [key]: 'Barrel', other: '' } } },
    })
    expect(String(response.headers['surrogate-purge'])).not.toContain('library')
    await patch(id, { enrichment: { specs: { [key]: 'Ribbed' } } })
    expect(await attribute(key)).toMatchObject({ values: ['Barrel', 'French', 'Ribbed'] })
    await waitFor('the event', async () => (await suite.eventsOf(SettingsUpdated)).length > settings)
    await suite.sql('update catalog.library_attributes set label = $2 where key = $1', [key, 'Cuffs'])
    await patch(id, { enrichment: { specs: { [key]: 'Turned' } } })
    expect(await attribute(key)).toMatchObject({ label: 'Cuffs' })
    // Deleted by the merchant: sending back fields that the product already had does not restore it.
    await suite.sql('delete from catalog.library_attributes where key = $1', [key])
    await patch(id, await readAdmin(id))
    await patch(id, { title: 'Unlearned' })
    expect(await attribute(key)).toBeUndefined()
  })

  test('are limited, whatever a merchant’s program writes', async () => {
    const key = unique('endless')
    const { id } = await create({ title: unique('Loop'), price: usd(1) })
    for (const round of [0, 1, 2]) {
      const highlights = Array.from({ length: 150 }, (_, index) => ({ key, value: `${round}-${index}` }))
      await patch(id, { enrichment: { highlights } })
    }
    expect((await attribute(key))?.values).toHaveLength(200)
    const specs = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`${key}-${index}`, 'value']))
    await patch(id, {
      enrichment: {
        specs: { ...specs, ['k'.repeat(200)]: 'v', ' ': 'blank', '': 'empty', [`${key}-long`]: 'v'.repeat(501) },
      },
    })
    const [row] = await suite.sql<{ count: number }>('select count(*)::int as count from catalog.library_attributes')
    expect(row?.count).toBe(1000)
    await suite.sql('delete from catalog.library_attributes')
  })

  test('collect values from many concurrent writers', async () => {
    const key = unique('crowd')
    const values = Array.from({ length: 10 }, (_, index) => `value ${index}`)
    await Promise.all(
      values.map((value) => create({ title: unique('Crowd'), price: usd(1), enrichment: { specs: { [key]: value } } })),
    )
    expect((await attribute(key))?.values?.toSorted()).toEqual(values)
  })
})

describe('the audit', () => {
  test('records who made, changed and deleted a product, and the fields that differ', async () => {
    const { id, variants } = await create(shirt(unique('audited')))
    await patch(id, { title: 'Changed', tags: ['new'] })
    await patch(id, { title: 'Changed' })
    await patch(id, { variants: variants.map((each) => ({ id: each.id, inventory: 1 })) })
    await send('DELETE', `/admin/products/${id}`)
    const entries = await auditOf(suite, 'product', id)
    expect(entries).toMatchObject([
      { action: 'create', actor: 'user_test', before: null, after: { title: expect.stringContaining('audited') } },
      { action: 'update', after: { title: 'Changed', tags: ['new'] } },
      { action: 'delete', before: { title: 'Changed' }, after: null },
    ])
    expect(Object.keys(entries[1]?.after ?? {}).toSorted()).toEqual(['tags', 'title'])
    expect(JSON.stringify(entries)).not.toContain('inventory')
  })
})

describe('concurrent writes', () => {
  test('of twenty products with one title get twenty slugs', async () => {
    const title = unique('Crowded')
    // They wait for each other, on a busy machine for longer than a lock may take: then the response is 503.
    const createWhenAvailable = async (): Promise<AdminProduct> => {
      const response = await send('POST', '/admin/products', { payload: { title, price: usd(1) } })
      if (response.statusCode === 503) return createWhenAvailable()
      expect(response.statusCode, response.payload).toBe(200)
      return AdminProduct.parse(response.json())
    }
    const made = await Promise.all(Array.from({ length: 20 }, createWhenAvailable))
    const base = title.toLowerCase()
    const expected = [base, ...Array.from({ length: 19 }, (_, index) => `${base}-${index + 2}`)]
    expect(made.map((each) => each.slug).toSorted()).toEqual(expected.toSorted())
  })

  test('of a slug that two titles produce give it to one, and the other gets the next', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const title = unique('Contested')
      await create({ title, price: usd(1) })
      const made = await Promise.all(
        [title, `${title} 2`, title, `${title} 2`].map((each) => create({ title: each, price: usd(1) })),
      )
      expect(new Set(made.map((each) => each.slug)).size).toBe(4)
    }
  })

  test('give one of two a slug, and one of two a SKU', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const slug = unique('wanted')
      const codes = await Promise.all(
        [1, 2].map(() => errorOf('POST', '/admin/products', { title: 'W', slug, price: usd(1) })),
      )
      expect(codes.map(({ status, code }) => code ?? status).toSorted()).toEqual([200, 'slug_taken'])
      const variants = [{ sku: unique('WANTED'), options: {} }]
      const skus = await Promise.all(
        [1, 2].map(() => errorOf('POST', '/admin/products', { title: 'W', price: usd(1), variants })),
      )
      expect(skus.map(({ status, code }) => code ?? status).toSorted()).toEqual([200, 'sku_taken'])
    }
  })

  test('of different fields all survive', async () => {
    const { id } = await create(shirt(unique('merged')))
    const changes = [
      { title: 'Merged' }, { price: usd(1234) }, { subtitle: 'sub' }, { tags: ['t'] }, { categories: ['sale'] },
      { details: ['d'] }, { care: ['c'] }, { position: 9 }, { relatedSlugs: ['r'] }, { description: 'x' },
    ] // oxfmt-ignore
    await Promise.all(changes.map((change) => patch(id, change)))
    expect(await readAdmin(id)).toMatchObject({ ...Object.assign({}, ...changes), version: 1 + changes.length })
  })

  test('of the categories leave those of the last one', async () => {
    const { id } = await create(shirt(unique('placed'), { categories: ['shirts'] }))
    const writer = openWriter(suite)
    const place = async (tx: Tx) => {
      await incrementVersions(tx, [id])
      await tx.insertInto('product_categories').values({ product_id: id, category_slug: 'sale' }).execute()
    }
    await whileOpen(suite, writer, place, () => patch(id, { title: 'Placed', categories: ['shirts'] }))
    await writer.destroy()
    expect((await readAdmin(id)).categories).toEqual(['shirts'])
  })

  test.each<[string, object, (tx: Tx) => Promise<unknown>]>([
    ['category', { categories: ['sale', 'shirts'] }, (tx) => lockCategory(tx, 'sale')],
    ['size chart', { sizeChartId: 'tops' }, (tx) => lockSizeCharts(tx, ['tops'])],
  ])('of a product and its %s do not deadlock', async (_record, change, locked) => {
    const { id, slug } = await create(shirt(unique('assigned'), { categories: ['shirts'] }))
    const writer = openWriter(suite)
    try {
      await lockProductMeanwhile(suite, writer, { slug, locked, request: () => patch(id, change) })
    } finally {
      await writer.destroy()
    }
    expect(await readAdmin(id)).toMatchObject(change)
  })

  test('of a product do not wait for those of a category that it stays in', async () => {
    const { id } = await create(shirt(unique('staying'), { categories: ['sale'] }))
    const writer = openWriter(suite)
    try {
      await transaction(writer, async (tx) => {
        await lockCategory(tx, 'sale')
        await patch(id, { title: 'Staying' })
      })
    } finally {
      await writer.destroy()
    }
    expect(await readAdmin(id)).toMatchObject({ title: 'Staying', categories: ['sale'] })
  })

  test('with purchases leave the ledger consistent', async () => {
    const { id, variants } = await create(shirt(unique('busy'), { sizes: ['M'], inventory: 30 }))
    const variantId = variants[0]?.id ?? ''
    const held = await Promise.all([
      ...Array.from({ length: 15 }, async () => ((await reserve(variantId, 1)).held ? 1 : 0)),
      ...Array.from({ length: 10 }, async (_, index) => {
        await patch(id, { title: `Busy ${index}`, variants: [{ id: variantId, price: usd(index) }] })
        return 0
      }),
    ])
    const reserved = held.reduce<number>((sum, each) => sum + each, 0)
    expect(reserved).toBe(15)
    expect(await stockOf(variantId)).toEqual({ onHand: 30, reserved })
    await Promise.all([
      ...Array.from({ length: 10 }, () => reserve(variantId, 1)),
      ...Array.from({ length: 5 }, () => patch(id, { variants: [{ id: variantId, inventory: 8 }] })),
    ])
    const { onHand, reserved: now } = await stockOf(variantId)
    expect(now).toBeLessThanOrEqual(onHand)
    await waitFor(
      'the responses',
      async () => (await storefront((await readAdmin(id)).slug)).variants[0]?.inventory === onHand - now,
    )
  })

  test('of a change and a deletion leave the product deleted', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, slug } = await create(shirt(unique('fought')))
      const responses = await Promise.all([
        send('PATCH', `/admin/products/${id}`, { payload: { title: 'Fought' } }),
        send('DELETE', `/admin/products/${id}`),
        send('PATCH', `/admin/products/${id}`, { payload: { price: usd(1) } }),
      ])
      expect(responses[1]?.statusCode).toBe(200)
      expect(responses.every(({ statusCode }) => statusCode === 200 || statusCode === 404)).toBe(true)
      expect((await page(slug)).statusCode).toBe(404)
    }
  })
})

describe('reads', () => {
  /** Text as merchants paste it, and hostile text. */
  const text = (maxLength: number) =>
    oneof(
      constantFrom(
        '',
        ' ',
        '"quoted"',
        '</script>',
        '\u2028',
        '🧥👨‍👩‍👧',
        'ﬁn',
        '\\',
        '${x}',
        "'; drop table products;--",
        'null',
        '__proto__',
        'constructor',
        '٪％＿',
      ),
      string({ unit: 'grapheme', maxLength }).filter((value) => !value.includes('\0') && value.isWellFormed()),
    )
  const filled = (maxLength: number) => text(maxLength).map((value) => (/\S/.test(value) ? value : `x${value}`))
  const price = oneof(constantFrom(0, 1, 10_000_000_000), integer({ min: 0, max: 100_000 })).map(usd)
  const maybe = <Value>(of: Arbitrary<Value>) => option(of, { nil: undefined })
  const image = record({
    url: constantFrom('/media/a.jpg', '/x', 'https://cdn.test/a?b=c', 'http://shop.test/media/b.jpg'),
    alt: maybe(filled(20)),
    width: maybe(integer({ min: 1, max: 100_000 })),
    color: maybe(text(10)),
  })
  const variant = record({
    options: oneof(
      constant({}),
      record({ Size: filled(8), Colour: filled(8) }),
      record({ color: constantFrom('Red', 'constructor', '__proto__', ' Red') }),
      record({ ' SIZE ': constantFrom('M', '38', 'toString') }),
    ),
    price: maybe(option(price, { nil: null })),
    priceOverride: maybe(constantFrom(true, false)),
    compareAtPrice: maybe(option(price, { nil: null })),
    inventory: maybe(oneof(constantFrom(0, 1, 1_000_000_000), integer({ min: 0, max: 10 }))),
    imageId: maybe(text(10)),
  })
  const choices = {
    options: maybe(array(record({ name: filled(10), values: array(filled(10), { maxLength: 3 }) }), { maxLength: 3 })),
    variants: maybe(array(variant, { maxLength: 4 })),
  }
  const fields = {
    subtitle: maybe(text(50)),
    description: maybe(text(200)),
    details: maybe(array(text(20), { maxLength: 4 })),
    compareAtPrice: maybe(option(price, { nil: null })),
    images: maybe(array(image, { maxLength: 3 })),
    swatches: maybe(
      constantFrom({}, { Red: '#F00' }, { '': '#000' }, { constructor: '#fff' }, { toString: '#00000080' }),
    ),
    categories: maybe(uniqueArray(constantFrom('women', 'shirts', 'sale'), { maxLength: 3 })),
    tags: maybe(array(text(20), { maxLength: 5 })),
    badges: maybe(array(constantFrom('new', 'sale', 'bestseller', 'low-stock', 'sold-out'), { maxLength: 5 })),
    createdAt: maybe(
      constantFrom(
        '0000-01-01T00:00:00Z',
        '1969-12-31T23:59:59.9999999Z',
        '9999-12-31T23:59:59.999Z',
        '2025-02-28T00:00:00Z',
      ),
    ),
    position: maybe(constantFrom(null, 0, -(2 ** 31), 2 ** 31 - 1)),
    fit: maybe(
      constantFrom(
        null,
        {},
        { verdict: null },
        { note: '' },
        { model: { height: -1, size: '' } },
        { note: '', model: { height: 1, size: '' } },
      ),
    ),
    fabric: maybe(
      record({
        composition: array(constant(['', 0]), { maxLength: 2 }),
        weight: double({ noNaN: true, noDefaultInfinity: true }),
      }),
    ),
    sizeChartId: maybe(constantFrom(null, 'tops')),
    enrichment: maybe(
      record({
        highlights: array(record({ key: text(20), value: text(20) }), { maxLength: 8 }),
        specs: constantFrom({}, { '': '' }, { constructor: 'x' }, { weave: 'Plain weave' }),
        manufacturer: constantFrom({}, { packOf: '1' }),
      }),
    ),
    relatedSlugs: maybe(constantFrom(null, [], ['no-such-product', 'peculiar-0'])),
  }
  type Choices = {
    [Name in keyof typeof choices]: (typeof choices)[Name] extends Arbitrary<infer Value> ? Value : never
  }

  /** The options of the variants are offered, because others are rejected. Other options may have any value. */
  const offering = <Product extends Choices>({ options, variants, ...product }: Product) => {
    const chosen = (variants ?? []).flatMap((each) => Object.entries(each.options))
    const missing = chosen.map(([name, value]) => ({ name, values: [value] }))
    return {
      ...product,
      ...(variants && { variants }),
      ...(options && { options: joined([...options, ...(variants?.length ? missing : [])]) }),
    }
  }
  const joined = (options: readonly { name: string; values: string[] }[]) =>
    [...Map.groupBy(options, ({ name }) => name.trim())].map(([name, same]) => ({
      name,
      values: same.flatMap(({ values }) => values),
    }))
  const newProduct = record({ ...fields, ...choices, title: filled(40), price }).map(offering)
  const change = record({
    ...fields,
    ...choices,
    title: maybe(filled(40)),
    price: maybe(price),
    published: maybe(constantFrom(true, false)),
  }).map(({ options, ...edit }) =>
    offering(edit.variants?.length ? { ...edit, options: options ?? [] } : { ...edit, options: undefined }),
  )

  /** Every storefront response that shows the product, against the shapes that clients validate. */
  async function expectReadable({ slug, title, published }: AdminProduct): Promise<void> {
    const json = async (url: string) => {
      const response = await catalog.app.inject({ url })
      expect(response.statusCode, `${url} ${response.payload.slice(0, 300)}`).toBe(200)
      return response.json<unknown>()
    }
    const related = listOf(Product)
    expect((await page(slug)).statusCode).toBe(published ? 200 : 404)
    if (published) {
      Product.parse(await json(`/products/${slug}`))
      related.parse(await json(`/products/${slug}/related?limit=48`))
    }
    for (const query of ['', '&category=women', '&sort=newest', '&in_stock=1', `&q=${encodeURIComponent(title)}`]) {
      ProductList.parse(await json(`/products?per_page=48${query}`))
    }
    await json('/bootstrap')
    Vocabulary.parse(await json('/attributes'))
  }

  test('show odd products in every list in shapes that clients accept, and sending them back changes nothing', async () => {
    await assert(
      asyncProperty(newProduct, change, async (product, edit) => {
        const made = await create(product)
        await expectReadable(made)
        expect(await patch(made.id, made)).toEqual(made)
        const edited = await patch(made.id, edit, { 'if-match': `"${made.version}"` })
        await expectReadable(edited)
        expect(await patch(made.id, await readAdmin(made.id))).toEqual(await readAdmin(made.id))
        const ids = (await list(`sort=newest&q=${made.id}`)).items.map((item) => item.id)
        expect(ids).toEqual([made.id])
        expect((await send('DELETE', `/admin/products/${made.id}`)).statusCode).toBe(200)
      }),
      { numRuns: amount({ quick: 3, long: 60 }) },
    )
  }, 300_000)
})
