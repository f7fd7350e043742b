import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listOf, Product } from '@storefront/contracts'
import { createSuite } from '@storefront/tools/testing'
import { importCatalogue, shirt, startTestCatalog, usd } from './catalog.ts'

const Related = listOf(Product).extend({ strategy: z.string() })

interface Shop {
  save: (body: Record<string, unknown>) => Promise<void>
  get: (url: string) => ReturnType<typeof importCatalogue>
  /** The related products of a product, in the shape the client validates. */
  related: (slug: string, query?: string) => Promise<{ slugs: string[]; strategy: string }>
  /** Stores settings that would be rejected today. */
  store: (settings: Record<string, unknown>) => Promise<void>
  stop: () => Promise<void>
}

/** @param sold units of products that the first save creates */
async function openShop(body: Record<string, unknown>, sold: Record<string, number> = {}): Promise<Shop> {
  const suite = await createSuite('catalog')
  const catalog = await startTestCatalog(suite)
  const get = (url: string) => catalog.app.inject({ url })
  const shop: Shop = {
    get,
    async save(change) {
      const response = await importCatalogue(catalog.app, suite, change)
      expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
    },
    async related(slug, query = '') {
      const response = await get(`/products/${slug}/related?${query}`)
      expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
      const { items, total, strategy } = Related.parse(response.json())
      expect(total).toBe(items.length)
      return { slugs: items.map((item) => item.slug), strategy }
    },
    async store(settings) {
      await suite.sql('update catalog.settings set version = version + 1, document = document || $1::jsonb', [
        JSON.stringify(settings),
      ])
    },
    async stop() {
      await catalog.stop()
      await suite.stop()
    },
  }
  for (const [slug, units] of Object.entries(sold)) {
    await suite.sql('insert into catalog.daily_sales (product_id, day, units) values ($1, current_date, $2)', [
      idOf(slug),
      units,
    ])
  }
  await shop.save(body)
  return shop
}

const idOf = (slug: string) => `prod_${slug}`
const product = (slug: string, fields: Record<string, unknown> = {}) => shirt(slug, { id: idOf(slug), ...fields })
const inShirts = (slug: string, fields: Record<string, unknown>) => product(slug, { categories: ['shirts'], ...fields })

const CATEGORIES = [
  { slug: 'tops', name: 'Tops' },
  { slug: 'shirts', name: 'Shirts', parent: 'tops' },
  { slug: 'knits', name: 'Knits', parent: 'tops' },
  { slug: 'coats', name: 'Coats' },
  { slug: 'rain', name: 'Rain' },
]

/** Enough products to distinguish a limit of 48 from none. */
const FILLERS = 50

const PRODUCTS = [
  inShirts('linen', {
    // Shirts are tops: not a category that it shares with other tops.
    categories: ['tops', 'shirts'],
    position: 0,
    tags: ['linen', 'summer'],
    relatedSlugs: ['belt', 'draft', 'linen', 'nobody', 'scarf'],
  }),
  inShirts('two-tags', { position: 3, tags: ['summer', 'linen', 'blue'], price: usd(9000) }),
  inShirts('one-tag-near', { position: 5, tags: ['linen'], price: usd(4100) }),
  inShirts('one-tag-far', { position: 2, tags: ['summer'], price: usd(3500) }),
  inShirts('no-tag-near', { position: 4, tags: ['blue'], price: usd(3990) }),
  inShirts('no-tag-far', { position: 1, price: usd(6000) }),
  inShirts('draft', { position: 0, tags: ['linen', 'summer'], published: false }),
  product('knit-two-tags', { categories: ['knits'], tags: ['linen', 'summer'], price: usd(9900) }),
  product('knit-one-tag', { categories: ['knits'], tags: ['linen'] }),
  product('tops-only', { categories: ['tops'] }),
  product('rain-coat', { categories: ['coats', 'rain'], tags: ['wet'] }),
  product('other-rain-coat', { categories: ['rain', 'coats'], price: usd(90_000) }),
  product('coat-with-tag', { categories: ['coats'], tags: ['wet'] }),
  product('scarf'),
  product('hat'),
  product('belt', { inventory: 0 }),
  ...Array.from({ length: FILLERS }, (_, index) => product(`filler-${index}`)),
]

let shop: Shop

beforeAll(async () => {
  shop = await openShop(
    { categories: CATEGORIES, products: PRODUCTS },
    { draft: 100, linen: 50, scarf: 9, hat: 7, belt: 5 },
  )
})

afterAll(() => shop.stop())

describe('a shop with shirts, knits and coats', () => {
  const related = (slug: string, query?: string) => shop.related(slug, query)

  test('shows four products by the automatic strategy by default', async () => {
    expect(await related('linen')).toEqual({
      slugs: ['two-tags', 'one-tag-near', 'one-tag-far', 'no-tag-near'],
      strategy: 'automatic',
    })
  })

  describe('automatic', () => {
    test('ranks by the shared category, then by shared tags, then by the nearer price, and ends with best-sellers', async () => {
      const { slugs } = await related('linen', 'strategy=automatic&limit=10')
      const ofCategory = ['two-tags', 'one-tag-near', 'one-tag-far', 'no-tag-near', 'no-tag-far']
      expect(slugs).toEqual([...ofCategory, 'knit-two-tags', 'knit-one-tag', 'scarf', 'hat', 'belt'])
    })

    test('prefers two shared categories to one, whatever the tags and prices', async () => {
      const { slugs } = await related('rain-coat', 'limit=2')
      expect(slugs).toEqual(['other-rain-coat', 'coat-with-tag'])
    })

    test('shows best-sellers for a product with neither categories nor tags', async () => {
      expect((await related('hat')).slugs.slice(0, 3)).toEqual(['linen', 'scarf', 'belt'])
    })
  })

  describe('the other strategies', () => {
    test('same-category shows the category in its featured order and fills up with best-sellers', async () => {
      const inOrder = ['no-tag-far', 'one-tag-far', 'two-tags', 'no-tag-near', 'one-tag-near']
      expect(await related('linen', 'strategy=same-category&limit=3')).toEqual({
        slugs: inOrder.slice(0, 3),
        strategy: 'same-category',
      })
      const { slugs } = await related('linen', 'strategy=same-category&limit=7')
      expect(slugs).toEqual([...inOrder, 'scarf', 'hat'])
    })

    test('best-sellers shows the products with most units sold, but not the product itself', async () => {
      expect(await related('linen', 'strategy=best-sellers&limit=3')).toEqual({
        slugs: ['scarf', 'hat', 'belt'],
        strategy: 'best-sellers',
      })
      expect((await related('scarf', 'strategy=best-sellers&limit=3')).slugs).toEqual(['linen', 'hat', 'belt'])
    })

    test("manual shows the merchant's visible products, in the merchant’s order, and fills up", async () => {
      expect(await related('linen', 'strategy=manual&limit=3')).toEqual({
        slugs: ['belt', 'scarf', 'hat'],
        strategy: 'manual',
      })
      expect((await related('linen', 'strategy=manual&limit=1')).slugs).toEqual(['belt'])
    })

    test('manual shows best-sellers when the merchant named none', async () => {
      expect((await related('hat', 'strategy=manual&limit=2')).slugs).toEqual(['linen', 'scarf'])
    })

    test('api chooses as automatic does, under its own name', async () => {
      const { slugs } = await related('linen', 'strategy=automatic&limit=10')
      expect(await related('linen', 'strategy=api&limit=10')).toEqual({ slugs, strategy: 'api' })
    })

    test('off shows nothing', async () => {
      expect(await related('linen', 'strategy=off&limit=10')).toEqual({ slugs: [], strategy: 'off' })
    })

    test.each(['clairvoyant', 'AUTOMATIC', '', 'constructor', '__proto__'])(
      'a strategy named "%s" is unknown and becomes automatic',
      async (name) => {
        const { slugs } = await related('linen')
        expect(await related('linen', `strategy=${name}`)).toEqual({ slugs, strategy: 'automatic' })
      },
    )
  })

  describe('whatever the strategy', () => {
    const strategies = ['automatic', 'same-category', 'best-sellers', 'manual', 'api', 'unknown']

    test.each(strategies)('%s shows no product twice, no draft and not the product itself', async (strategy) => {
      for (const slug of ['linen', 'rain-coat', 'tops-only', 'hat']) {
        const { slugs } = await related(slug, `strategy=${strategy}&limit=48`)
        expect(slugs).toHaveLength(48)
        expect(new Set(slugs).size).toBe(48)
        expect(slugs).not.toContain(slug)
        expect(slugs).not.toContain('draft')
      }
    })

    test.each(strategies)('%s shows at least one product and at most 48', async (strategy) => {
      for (const [limit, shown] of [
        ['0', 1],
        ['-3', 1],
        ['1', 1],
        ['48', 48],
        ['1000', 48],
      ]) {
        const { slugs } = await related('linen', `strategy=${strategy}&limit=${limit}`)
        expect(slugs, `limit=${limit}`).toHaveLength(Number(shown))
      }
    })
  })

  test('a limit that is not a number is rejected, and so is a strategy of endless length', async () => {
    for (const query of ['limit=two', 'limit=1.5', 'limit=', `strategy=${'a'.repeat(101)}`]) {
      const response = await shop.get(`/products/linen/related?${query}`)
      expect(response.statusCode, query).toBe(422)
      expect(response.json()).toMatchObject({ code: 'validation_failed', requestId: expect.any(String) })
    }
  })

  test('nothing is related to a product that is unknown or a draft', async () => {
    for (const slug of ['nobody', 'draft']) {
      for (const query of ['', 'strategy=off']) {
        const response = await shop.get(`/products/${slug}/related?${query}`)
        expect(response.statusCode, slug).toBe(404)
        expect(response.json()).toMatchObject({ code: 'not_found' })
      }
    }
  })

  test('a cache may keep it until the settings, the category or one of the products change', async () => {
    const { headers } = await shop.get('/products/linen/related?limit=2')
    expect(headers['surrogate-key']).toBe(
      'settings listing category:shirts product:linen product:two-tags product:one-tag-near',
    )
    expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600')
    const off = await shop.get('/products/linen/related?strategy=off')
    expect(off.headers['surrogate-key']).toBe('settings listing category:shirts product:linen')
  })

  test('items are the list items of the products', async () => {
    const { items } = Related.parse((await shop.get('/products/linen/related?strategy=manual&limit=1')).json())
    const found = z
      .object({ items: z.array(Product) })
      .parse((await shop.get('/products?q=belt&sort=newest&per_page=1')).json())
    expect(items).toEqual(found.items)
  })
})

describe('the configuration of the shop', () => {
  const configure = (recommendations: Record<string, unknown>) => shop.store({ recommendations })

  afterAll(() => configure({}))

  test.each([
    ['automatic', 'automatic', ['two-tags', 'one-tag-near']],
    ['same-category', 'same-category', ['no-tag-far', 'one-tag-far']],
    ['best-sellers', 'best-sellers', ['scarf', 'hat']],
    ['manual', 'manual', ['belt', 'scarf']],
    ['api', 'api', ['two-tags', 'one-tag-near']],
    ['off', 'off', []],
    ['clairvoyant', 'automatic', ['two-tags', 'one-tag-near']],
  ])('may choose the strategy %s', async (configured, strategy, slugs) => {
    await configure({ strategy: configured, limit: 2 })
    expect(await shop.related('linen')).toEqual({ slugs, strategy })
  })

  test('is overridden by the parameters of the request', async () => {
    await configure({ strategy: 'off', limit: 3 })
    expect(await shop.related('linen', 'strategy=best-sellers')).toMatchObject({ strategy: 'best-sellers' })
    expect((await shop.related('linen', 'strategy=best-sellers')).slugs).toHaveLength(3)
    expect((await shop.related('linen', 'strategy=best-sellers&limit=5')).slugs).toHaveLength(5)
    expect(await shop.related('linen', 'strategy=clairvoyant')).toMatchObject({ strategy: 'automatic' })
    expect(await shop.related('linen', 'strategy=')).toEqual({ slugs: [], strategy: 'off' })
  })

  test.each([
    [0, 1],
    [-3, 1],
    [7, 7],
    [1000, 48],
  ])('a limit of %i shows %i', async (limit, shown) => {
    await configure({ strategy: 'automatic', limit })
    expect((await shop.related('linen')).slugs).toHaveLength(shown)
  })
})

describe('a shop with a single product', () => {
  let single: Shop

  beforeAll(async () => {
    single = await openShop({
      categories: [{ slug: 'shirts', name: 'Shirts' }],
      products: [inShirts('only', { tags: ['linen'], relatedSlugs: ['only', 'later'] })],
    })
  })

  afterAll(() => single.stop())

  const expectEverywhere = async (slugs: string[]) => {
    for (const strategy of ['automatic', 'same-category', 'best-sellers', 'manual', 'api']) {
      expect(await single.related('only', `strategy=${strategy}`)).toEqual({ slugs, strategy })
    }
  }

  test('has nothing related to it', async () => {
    await expectEverywhere([])
  })

  test('finds a second product while it is published, and no longer', async () => {
    await single.save({ products: [inShirts('later', { tags: ['linen'] })] })
    await expectEverywhere(['later'])
    await single.save({ products: [inShirts('later', { tags: ['linen'], published: false })] })
    await expectEverywhere([])
    expect((await single.get('/products/later/related')).statusCode).toBe(404)
  })

  test('finds products that the merchant named under a former slug, once', async () => {
    await single.save({ products: [inShirts('later', { tags: ['linen'] })] })
    await single.save({ products: [inShirts('later', { slug: 'sooner', tags: ['linen'] })] })
    await single.save({ products: [inShirts('only', { tags: ['linen'], relatedSlugs: ['later', 'sooner', 'later'] })] })
    expect((await single.related('only', 'strategy=manual')).slugs).toEqual(['sooner'])
    await single.save({ products: [inShirts('later', { tags: ['linen'] })] })
  })

  test('finds the product under a former slug', async () => {
    await single.save({ products: [inShirts('later', { tags: ['linen'] })] })
    await single.save({ products: [inShirts('only', { slug: 'renamed' })] })
    const response = await single.get('/products/only/related')
    expect(response.statusCode).toBe(200)
    expect(response.headers['surrogate-key']).toBe('settings listing category:shirts product:renamed product:later')
  })
})
