import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Product, ProductList } from '@storefront/contracts'
import { createSuite, expectLedgerBalanced, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { getAsShopper, importCatalogue, shirt, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  const response = await importCatalogue(catalog.app, suite, {
    settings: {
      store: { name: 'Test' },
      home: [
        { type: 'product-rail', source: { sort: 'newest', limit: 2 } },
        { type: 'product-rail', source: { sort: 'newest', limit: 2 } },
      ],
    },
    categories: [
      { slug: 'shirts', name: 'Shirts', parent: 'tops' },
      { slug: 'tops', name: 'Tops' },
    ],
    collections: [{ slug: 'summer', title: 'Summer', products: ['linen'] }],
    sizeCharts: [{ id: 'tops', unit: 'cm', columns: ['Size', 'Chest'], rows: [['S', 90]] }],
    products: [
      shirt('linen', { categories: ['shirts'], tags: ['linen'], sizeChartId: 'tops', compareAtPrice: usd(5000) }),
      shirt('bare', { variants: [], options: [] }),
      shirt('draft', { published: false, categories: ['shirts'] }),
      shirt('gone', { inventory: 0, categories: ['tops'] }),
    ],
    reviews: [{ product: 'linen', author: 'Ada', rating: 4, body: 'Good' }],
  })
  expect(response.json()).toMatchObject({ ok: true, counts: { products: { created: 4 } } })
})

afterAll(async () => {
  await expectLedgerBalanced(suite)
  await suite.stop()
})

const get = (url: string) => getAsShopper(catalog.app, url)

describe('the product list', () => {
  test('shows every published product in the shape the client validates, and facets of the whole', async () => {
    const { status, body, headers } = await get('/products')
    expect(status).toBe(200)
    const list = ProductList.parse(body)
    expect(list).toMatchObject({ total: 3, page: 1, perPage: 12 })
    expect(list.facets.sizes).toEqual(['S', 'M'])
    expect(list.items.map((item) => item.slug).toSorted()).toEqual(['bare', 'gone', 'linen'])
    expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600')
    expect(headers['surrogate-key']).toContain('product:linen')
  })

  test('finds a category with its descendants, a collection, an available size and words', async () => {
    const slugs = async (query: string) =>
      (await get(`/products?${query}`)).body.items.map((item: Product) => item.slug)
    expect(await slugs('category=tops&sort=price-asc')).toHaveLength(2)
    expect(await slugs('collection=summer')).toEqual(['linen'])
    expect(await slugs('sizes=S,M&category=tops')).toEqual(['linen'])
    expect(await slugs('q=linen')).toEqual(['linen'])
    expect(await slugs('in_stock=true&q=gone')).toEqual([])
    expect((await get('/products?category=nothing')).body).toMatchObject({ items: [], total: 0, facets: { sizes: [] } })
  })

  test('clamps pages and rejects other text', async () => {
    expect((await get('/products?per_page=1000&page=0')).body).toMatchObject({ page: 1, perPage: 48 })
    for (const query of ['page=two', 'per_page=1.5', 'sort=cheapest', 'min_price=-x']) {
      const { status, body } = await get(`/products?${query}`)
      expect(status, query).toBe(422)
      expect(body).toMatchObject({ code: 'validation_failed', requestId: expect.any(String) })
    }
  })
})

describe('the product page', () => {
  test('contains the size chart, the rating and values derived from price and stock', async () => {
    const product = Product.parse((await get('/products/linen')).body)
    expect(product.sizeChart).toMatchObject({ id: 'tops' })
    expect(product.rating).toEqual({ average: 4, count: 1 })
    expect(product.badges).toEqual(['new', 'sale'])
    expect(product.social).toEqual({ unitsAvailable: 20, boughtLast30Days: 0, savedCount: 0 })
  })

  test('exists for a product without variants or pictures too', async () => {
    const product = Product.parse((await get('/products/bare')).body)
    expect(product.variants).toHaveLength(1)
    expect(product.variants[0]).toMatchObject({ available: false, inventory: 0 })
    expect(product.images[0]?.url).toBe('http://shop.test/media/placeholder.svg')
  })

  test('does not exist for a draft or an unknown slug', async () => {
    for (const slug of ['draft', 'nothing', '%00', '..%2F..%2Fetc', 'ä'.repeat(300)]) {
      const { status, body } = await get(`/products/${encodeURIComponent(slug)}`)
      expect(status, slug).toBeGreaterThanOrEqual(404)
      expect(status, slug).toBeLessThan(500)
      expect(body.code, slug).toMatch(/not_found|validation_failed/)
    }
  })
})

describe('the first page', () => {
  test('has categories as a tree with counts, collections and one rail per source', async () => {
    const { body } = await get('/bootstrap')
    expect(body.categories).toMatchObject([
      { slug: 'tops', count: 2, children: [{ slug: 'shirts', count: 1, children: [] }] },
    ])
    expect(body.collections).toMatchObject({ items: [{ slug: 'summer', count: 1 }], total: 1 })
    const key = '{"sort":"newest","category":null,"collection":null,"tags":null,"limit":2}'
    expect(Object.keys(body.rails)).toEqual([key])
    expect(body.rails[key]).toHaveLength(2)
    expect(body.storefront).toMatchObject({ version: 1, store: { name: 'Test' } })
  })

  test('lists categories flat on request', async () => {
    const { body } = await get('/categories?tree=0')
    expect(body).toMatchObject({ total: 2 })
    expect(body.items[0].children).toBeUndefined()
  })
})

describe('an import', () => {
  test('is rejected whole, with every invalid row named, and leaves nothing behind', async () => {
    const response = await importCatalogue(catalog.app, suite, {
      products: [
        shirt('fine'),
        shirt('euro', { price: { amount: 1, currency: 'EUR' } }),
        shirt('lost', { categories: ['nowhere'], sizeChartId: 'none' }),
        shirt('fine'),
      ],
    })
    expect(response.statusCode).toBe(422)
    const paths = response.json().detail.issues.map((issue: { path: string }) => issue.path)
    expect(paths).toEqual(
      expect.arrayContaining([
        'products.1.price',
        'products.2.categories',
        'products.2.sizeChartId',
        'products.3.slug',
      ]),
    )
    expect((await get('/products/fine')).status).toBe(404)
  })

  test('changes nothing the second time', async () => {
    const again = await importCatalogue(catalog.app, suite, {
      products: [shirt('bare', { variants: [], options: [] })],
    })
    expect(again.json().counts.products).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 1 })
  })

  test('is not available to shoppers', async () => {
    const rejected = await catalog.app.inject({
      method: 'POST',
      url: '/admin/import',
      headers: suite.headers.customer('cus_1'),
      payload: { mode: 'merge' },
    })
    expect(rejected.statusCode).toBe(403)
    const unsigned = await catalog.app.inject({ method: 'POST', url: '/admin/import', payload: { mode: 'replace' } })
    expect(unsigned.statusCode).toBe(401)
  })
})
