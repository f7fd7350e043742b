import { afterAll, beforeAll, expect, test } from 'vitest'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { ImportBody, ImportResult } from '@storefront/contracts'
import type { RunningCatalog } from '../src/start.ts'
import { startFakeCart, type FakeCart } from './cart.ts'
import { fill, importCatalogue, shirt, startTestCatalog, usd } from './catalog.ts'
import { randomShop } from './naive-catalog.ts'

let suite: Suite
let catalog: RunningCatalog
let otherSuite: Suite
let other: RunningCatalog
let carts: FakeCart[] = []

beforeAll(async () => {
  suite = await createSuite('catalog')
  otherSuite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  other = await startTestCatalog(otherSuite)
  carts = [await startFakeCart(suite), await startFakeCart(otherSuite)]
})
afterAll(async () => {
  for (const cart of carts) await cart.stop()
  await catalog.stop()
  await other.stop()
  await suite.stop()
  await otherSuite.stop()
})

const NDJSON = 'application/x-ndjson'

async function exported(from = catalog, of = suite, accept = NDJSON): Promise<string> {
  const response = await from.app.inject({ url: '/admin/export', headers: { ...of.headers.admin(), accept } })
  expect(response.statusCode).toBe(200)
  expect(response.headers['cache-control']).toBe('private, no-store')
  return response.payload
}

async function imported(payload: string, to = catalog, of = suite, type = NDJSON): Promise<ImportResult> {
  const response = await to.app.inject({
    method: 'POST',
    url: '/admin/import',
    headers: { ...of.headers.admin(), 'content-type': type },
    payload,
  })
  expect(response.statusCode, response.payload.slice(0, 2000)).toBe(200)
  return ImportResult.parse(response.json())
}

function expectNothingChanged({ counts, settingsChanged }: ImportResult): void {
  expect(settingsChanged).toBe(false)
  for (const [kind, { created, updated, deleted }] of Object.entries(counts)) {
    expect({ kind, created, updated, deleted }).toEqual({ kind, created: 0, updated: 0, deleted: 0 })
  }
}

const replace = (body: Record<string, unknown>) => fill(catalog.app, suite, { mode: 'replace', ...body })

const RICH = {
  settings: { store: { name: 'Loom' }, unknown: { z: 1, a: [2] }, pricing: { locale: 'en-GB', currency: 'USD' } },
  categories: [
    { slug: 'tops', name: 'Tops', parent: 'women' },
    { slug: 'women', name: 'Women', image: { url: '/media/w.svg', alt: 'W' } },
  ],
  sizeCharts: [
    { id: 'b', unit: 'cm', columns: ['Size', 'Chest'], rows: [['S', 1]] },
    { id: 'a', unit: 'in', columns: ['Size'], rows: [] },
  ],
  products: [
    {
      slug: 'full',
      title: 'Full',
      subtitle: 'Sub',
      description: 'Long',
      details: ['One'],
      care: ['Cold'],
      price: usd(5000),
      compareAtPrice: usd(8000),
      images: [
        { url: '/media/1.svg', alt: 'One', width: 10, height: 20, color: 'Red' },
        { url: 'https://x.example/2.png' },
      ],
      options: [
        { name: 'Size', values: ['S', 'M'] },
        { name: 'Color', values: ['Red'] },
      ],
      swatches: { Red: '#f00', 'A long name': '#0f0', B: '#00f' },
      variants: [
        { sku: 'FULL-S', options: { Size: 'S', Color: 'Red' }, inventory: 3 },
        {
          options: { Color: 'Red', Size: 'M' },
          price: usd(5000),
          priceOverride: true,
          compareAtPrice: usd(9000),
          inventory: 0,
        },
      ],
      categories: ['women', 'tops'],
      tags: ['z', 'a', 'z'],
      badges: ['new', 'sale'],
      published: false,
      createdAt: '2024-05-06T07:08:09.123Z',
      position: -3,
      fit: {
        verdict: 'runs-small',
        note: 'Take one up',
        model: { height: 180, size: 'M' },
        feedback: { small: 1, true: 2, large: 3 },
      },
      fabric: { composition: [['Linen', 99.5]], weight: 120, certifications: [] },
      sizeChartId: 'b',
      enrichment: { specs: { Weight: '1', A: '2' }, maker: { name: 'M', location: 'L' } },
      relatedSlugs: ['bare'],
    },
    { slug: 'bare', title: 'Bare', variants: [{ price: usd(100) }] },
  ],
  collections: [
    { slug: 'zebra', title: 'Z', products: ['full', 'bare'] },
    { slug: 'apple', title: 'A', products: [] },
  ],
  reviews: [
    { product: 'full', author: 'Ada', rating: 5, body: 'x', photos: [{ url: '/p.jpg', alt: '' }], fit: 'true' },
    { product: 'bare', author: 'Bob', rating: 1, published: false },
    { product: 'bare', author: 'Bob', rating: 1 },
  ],
  library: {
    attributes: [
      { key: 'k2', label: 'L', unit: 'g', values: ['b', 'a'] },
      { key: 'k1', label: 'L' },
    ],
    features: [
      { id: 'lib_first', icon: 'leaf', title: 'T', body: '' },
      { id: 'lib_twin', icon: 'leaf', title: 'T', body: '' },
    ],
    assurances: [
      { id: 'lib_b', icon: 'leaf', label: 'L', note: 'N' },
      { id: 'lib_a', icon: 'leaf', label: 'L', note: 'N' },
    ],
  },
}

const SHOPS: [string, () => Record<string, unknown>][] = [
  ['an empty shop', () => ({})],
  ['a shop with everything in it', () => RICH],
  ...amount({ quick: [11], long: [11, 12, 13] }).map((seed): [string, () => Record<string, unknown>] => [
    `random shop ${seed}`,
    () => ({ ...randomShop(seed, 60).body, mode: 'replace' }),
  ]),
]

test.each(SHOPS)('%s is imported from its export unchanged, and another shop becomes the same', async (_name, shop) => {
  await replace(shop())
  const first = await exported()
  expectNothingChanged(await imported(first))
  expect(await exported()).toBe(first)
  // Into a shop with other records, names and ids.
  await importCatalogue(other.app, otherSuite, {
    products: [shirt('other', { inventory: 99 }), shirt('gone')],
    reviews: [{ product: 'gone', author: 'Eve', rating: 3 }],
    categories: [{ slug: 'gone', name: 'Gone' }],
    library: {
      attributes: [{ id: 'lib_b', key: 'k1', label: 'L', values: ['own'] }],
      features: [
        { icon: 'leaf', title: 'Gone', body: '' },
        { id: 'lib_own', icon: 'leaf', title: 'T', body: '' },
      ],
    },
  })
  await imported(first, other, otherSuite)
  expect(await exported(other, otherSuite)).toBe(first)
})

test('two items of the library with the same text stay two after an import, here and in another shop', async () => {
  await replace({
    library: {
      features: [
        { id: 'lib_1', icon: 'leaf', title: 'Traced', body: 'To the farm.' },
        { id: 'lib_2', icon: 'leaf', title: 'Traceable', body: 'To the farm.' },
      ],
    },
  })
  const saved = await catalog.app.inject({
    method: 'POST',
    url: '/admin/library/features',
    headers: suite.headers.admin(),
    payload: { id: 'lib_2', icon: 'leaf', title: 'Traced', body: 'To the farm.' },
  })
  expect(saved.statusCode, saved.payload).toBe(200)
  const first = await exported()
  expect(first.match(/"title":"Traced"/g)).toHaveLength(2)
  for (const type of [NDJSON, 'application/json']) {
    const file = await exported(catalog, suite, type)
    expectNothingChanged(await imported(file, catalog, suite, type))
    await importCatalogue(other.app, otherSuite, { mode: 'replace', settings: {} })
    await imported(file, other, otherSuite, type)
    expect(await exported(catalog, suite, type)).toBe(file)
    expect(await exported(other, otherSuite, type)).toBe(file)
  }
})

test('an export as JSON has the same content, and can be imported too', async () => {
  await replace(RICH)
  const json = await exported(catalog, suite, 'application/json')
  const body = ImportBody.parse(JSON.parse(json))
  const lines = (await exported())
    .trim()
    .split('\n')
    .map((line): { type: string; data: unknown } => JSON.parse(line))
  expect(JSON.parse(json).products).toEqual(lines.filter(({ type }) => type === 'product').map(({ data }) => data))
  expect(body.reviews).toHaveLength(3)
  expectNothingChanged(await imported(json, catalog, suite, 'application/json'))
  expect(await exported(catalog, suite, 'application/json')).toBe(json)
  expect(lines.at(-1)).toEqual({ type: 'end', data: { rows: lines.length - 2 } })
})

test('an export is a file to download, with a name set by the service', async () => {
  for (const [accept, name] of [
    [NDJSON, 'shop.ndjson'],
    ['application/json', 'shop.json'],
  ]) {
    const headers = { ...suite.headers.admin(), accept }
    const response = await catalog.app.inject({ url: '/admin/export', headers })
    expect(response.headers['content-disposition']).toBe(`attachment; filename="${name}"`)
  }
})

test('an export is a snapshot of the shop, whatever is written meanwhile', async () => {
  const products = (title: string) =>
    Array.from({ length: amount({ quick: 210, long: 450 }) }, (_, index) => shirt(`s${index}`, { title, sizes: ['S'] }))
  await replace({ products: products('Before') })
  const [texts] = await Promise.all([
    Promise.all(Array.from({ length: 3 }, () => exported())),
    importCatalogue(catalog.app, suite, { products: products('After') }),
  ])
  for (const text of texts) {
    const titles = new Set([...text.matchAll(/"title":"(Before|After)"/g)].map(([, title]) => title))
    expect(titles.size).toBe(1)
  }
  expect(await exported()).toContain('"title":"After"')
})

test('a client that disconnects releases the connection', async () => {
  await replace({ products: [shirt('s0', { sizes: ['S'], description: 'x'.repeat(20_000) })] })
  // Copied in the database: an import of as many products took most of the time of this test.
  await suite.sql(
    `insert into catalog.products (id, slug, title, published, document, price_minor, currency, tags, created_at, fingerprint)
     select 's' || n, 's' || n, title, published, document, price_minor, currency, tags, created_at, fingerprint
     from catalog.products, generate_series(1, 399) n`,
  )
  const openTransactions = async () => {
    const [counted] = await suite.sql<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and xact_start is not null and usename <> current_user`,
    )
    return counted?.count ?? -1
  }
  for (let turn = 0; turn < amount({ quick: 2, long: 15 }); turn++) {
    const leaving = new AbortController()
    const response = await fetch(`${catalog.url}/admin/export`, {
      headers: { ...suite.headers.admin(), accept: NDJSON },
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
  }
  await waitFor('all transactions to end', async () => (await openTransactions()) === 0)
  expect((await exported()).length).toBeGreaterThan(8_000_000)
})
