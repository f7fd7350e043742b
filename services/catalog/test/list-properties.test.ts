import { assert, asyncProperty, constantFrom, integer, record, sample, type Arbitrary } from 'fast-check'
import { type Messaging } from '@storefront/messaging'
import { ProductInput, ProductList, ProductSort } from '@storefront/contracts'
import { amount, createSuite, expectLedgerBalanced, type Suite, waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, shirt, startTestCatalog, usd } from './catalog.ts'
import {
  CATEGORIES,
  colorsByName,
  expectSamePages,
  filters,
  idsOf,
  naiveFacets,
  naiveList,
  pagesByCursor,
  pagesByNumber,
  priceOf,
  queryString,
  randomShop,
  readPage,
  request,
  sell,
  soldOf,
  type Filters,
} from './naive-catalog.ts'

const SEED = 20_261_121
/** Products at the edges of what is accepted. */
const EDGES = amount({ quick: 15, long: 220 })
/** How many of them are in one import: an import for each takes most of the time of this file. */
const AT_ONCE = amount({ quick: 100, long: 1 })
/** The distance between the changed characters of a cursor; where they begin differs by sort. */
const PLACES_APART = amount({ quick: 8, long: 1 })
/** Among the products that can be bought, every nth has sales. */
const SALES_APART = amount({ quick: 6, long: 4 })

const importAll = async (catalog: RunningCatalog, suite: Suite, body: Record<string, unknown>) => {
  // Cart stores the codes, and there is none here.
  const { discounts: _discounts, ...catalogue } = body
  const response = await importCatalogue(catalog.app, suite, catalogue)
  expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
}

// More than 512, so that some sets of the index are kept as bits and others as arrays.
describe('a catalog of some hundred products', () => {
  const shop = randomShop(SEED, amount({ quick: 240, long: 800 }))
  let suite: Suite
  let catalog: RunningCatalog
  let orders: Messaging

  beforeAll(async () => {
    suite = await createSuite('catalog')
    catalog = await startTestCatalog(suite)
    await importAll(catalog, suite, { ...shop.body })
    orders = await suite.openMessaging('orders')
    const sellable = shop.body.products.flatMap(({ published, variants }) =>
      published ? variants.filter(({ inventory }) => (inventory ?? 0) > 0).slice(0, 1) : [],
    )
    for (const [index, { id = '', inventory = 0 }] of sellable.entries()) {
      if (index % SALES_APART === 0) shop.unitsSold.set(id, Math.min(inventory, 1 + (index % 3)))
    }
    await Promise.all([...shop.unitsSold].map(([id, units]) => sell(orders, id, units)))
    const sold = shop.body.products.filter((product) => soldOf(shop, product) > 0)
    expect(sold.length).toBeGreaterThan(20)
    for (const product of sold) {
      await waitFor(`the sales of ${product.slug}`, async () => {
        const page = await catalog.app.inject({ url: `/products/${product.slug}` })
        return page.json().social.boughtLast30Days === soldOf(shop, product)
      })
    }
  })

  afterAll(async () => {
    await expectLedgerBalanced(suite)
    await catalog.stop()
    await suite.stop()
  })

  const naiveIds = (wanted: Filters) => naiveList(shop, wanted).map(({ id }) => id)

  /** The facets of each scope as text, once they were found equal to those of the naive implementation. */
  const facetTexts = new Map<string, string>()

  /** docs/contract.md does not define whether the facets of a category within a collection are those of both. */
  const possibleFacets = ({ category, collection }: Filters) => {
    if (category === undefined) return [naiveFacets(shop, collection === undefined ? {} : { collection })]
    if (collection === undefined) return [naiveFacets(shop, { category })]
    return [naiveFacets(shop, { category }), naiveFacets(shop, { category, collection })]
  }

  async function expectAsNaive(wanted: Filters): Promise<void> {
    const pages = await pagesByNumber(catalog.app, { ...wanted }, 48)
    const expected = naiveList(shop, wanted)
    const what = queryString({ ...wanted })
    expect(idsOf(pages), what).toEqual(expected.map(({ id }) => id))
    expect(
      pages.flatMap(({ items }) => items.map(({ slug, title, price }) => ({ slug, title, price }))),
      what,
    ).toEqual(expected.map((product) => ({ slug: product.slug, title: product.title, price: usd(priceOf(product)) })))
    const scope = queryString({ category: wanted.category, collection: wanted.collection })
    for (const { total, facets } of pages) {
      expect(total, what).toBe(expected.length)
      const text = JSON.stringify(facets)
      expect(text, what).toBe(facetTexts.get(scope) ?? text)
      if (facetTexts.has(scope)) continue
      expect(possibleFacets(wanted), what).toContainEqual(colorsByName(facets))
      facetTexts.set(scope, text)
    }
  }

  test.each(ProductSort.options)('has one order of %s, down to the id', async (sort) => {
    await expectAsNaive({ sort })
  })

  test('is sorted as featured by default', async () => {
    expect(idsOf(await pagesByNumber(catalog.app, {}, 48))).toEqual(naiveIds({ sort: 'featured' }))
  })

  test.each(CATEGORIES.map(({ slug }) => slug))(
    'has in %s the products of its descendants, each once',
    async (category) => {
      expect(naiveIds({ category }).length).toBeGreaterThan(0)
      await expectAsNaive({ category })
    },
  )

  test('returns the expected products for any combination of filters and sort', async () => {
    await assert(asyncProperty(filters, expectAsNaive), { seed: SEED, numRuns: amount({ quick: 4, long: 300 }) })
  })

  test('is read whole and once, in pages of any size, by number and by cursor', async () => {
    await assert(
      asyncProperty(filters, integer({ min: 1, max: 48 }), async (wanted, requested) => {
        const expected = naiveIds(wanted)
        // A longer list in pages of one would test nothing more.
        const perPage = Math.min(48, Math.max(requested, Math.ceil(expected.length / 40)))
        expect(await expectSamePages(catalog.app, { ...wanted }, perPage)).toEqual(expected)
      }),
      { seed: SEED, numRuns: amount({ quick: 3, long: 60 }) },
    )
  })

  test.each(ProductSort.options)('is read whole by the cursor of %s in pages of one among ties', async (sort) => {
    const wanted: Filters = { category: 'women-knits', sort }
    expect(await expectSamePages(catalog.app, { ...wanted }, 1)).toEqual(naiveIds(wanted))
  })

  test('can be read by number and continued by cursor', async () => {
    const third = await readPage(catalog.app, { sort: 'rating', page: 3, per_page: 20 })
    const fourth = await readPage(catalog.app, { sort: 'rating', per_page: 20, cursor: third.nextCursor })
    expect(fourth.page).toBe(4)
    expect(idsOf([fourth])).toEqual(naiveIds({ sort: 'rating' }).slice(60, 80))
  })

  test('ends after its last page, however far after', async () => {
    const total = naiveIds({}).length
    for (const page of [1000, 99_999_999, 999_999_999_999_999]) {
      const list = await readPage(catalog.app, { page })
      expect({ items: list.items, total: list.total, next: list.nextCursor }, `page ${page}`).toEqual({
        items: [],
        total,
        next: undefined,
      })
    }
  })

  test('clamps the size and the number of a page, and rejects other text', async () => {
    const sizes = { 0: 1, '-5': 1, 1: 1, 48: 48, 49: 48, 1000: 48, 999999999999: 48 }
    for (const [requested, perPage] of Object.entries(sizes)) {
      const list = await readPage(catalog.app, { per_page: requested })
      expect([list.perPage, list.items.length], `per_page=${requested}`).toEqual([perPage, perPage])
    }
    expect(await readPage(catalog.app, {})).toMatchObject({ page: 1, perPage: 12 })
    expect(await readPage(catalog.app, { page: -3 })).toMatchObject({ page: 1 })
    for (const query of ['page=x', 'page=1.5', 'per_page=', 'per_page=1e1', 'sort=', 'sort=newest,rating']) {
      expect((await request(catalog.app, query)).status, query).toBe(422)
    }
    for (const query of ['min_price=1.5', 'max_price=ten', 'min_price=', 'max_price=1e9', 'min_price=--1']) {
      expect((await request(catalog.app, query)).status, query).toBe(422)
    }
  })

  test('clamps numbers of any length, and prices to the maximum price', async () => {
    const huge = '9'.repeat(400)
    expect(await readPage(catalog.app, { per_page: '99999999999999999999', page: 1 })).toMatchObject({ perPage: 48 })
    expect(await readPage(catalog.app, { per_page: `-${huge}` })).toMatchObject({ perPage: 1 })
    for (const page of ['9999999999999999', huge]) {
      expect(await readPage(catalog.app, { page })).toMatchObject({ page: 1_000_000, items: [] })
    }
    const { total } = await readPage(catalog.app, {})
    for (const max_price of [huge, '9007199254740993']) {
      expect(await readPage(catalog.app, { min_price: `-${huge}`, max_price })).toMatchObject({ total })
      expect(await readPage(catalog.app, { min_price: max_price })).toMatchObject({ total: 0 })
    }
    for (const min_price of ['-1', '-0', '-9007199254740993']) {
      expect(await readPage(catalog.app, { min_price, max_price: 2500 }), min_price).toEqual(
        await readPage(catalog.app, { max_price: 2500, min_price: 0 }),
      )
    }
    const free = await readPage(catalog.app, { max_price: 0 })
    expect(await readPage(catalog.app, { max_price: -1 })).toMatchObject({ total: free.total, items: free.items })
  })

  test('is empty, and never an error, between prices in the wrong order', async () => {
    const list = await readPage(catalog.app, { min_price: 4000, max_price: 3999 })
    expect(list).toMatchObject({ items: [], total: 0 })
    expect(colorsByName(list.facets)).toEqual(naiveFacets(shop, {}))
  })

  test('is empty, with empty facets, in a category or a collection that does not exist or has no products', async () => {
    const empty = { sizes: [], colors: [], tags: [], priceRange: { min: 0, max: 0 } }
    const nowhere = ['category=nothing', 'collection=nothing', 'category=deserted', 'collection=hollow']
    for (const query of [...nowhere, 'category=Women', 'category=__proto__', 'category=%27', 'category=women%25']) {
      const { status, text } = await request(catalog.app, query)
      expect(status, query).toBe(200)
      expect(JSON.parse(text), query).toMatchObject({ items: [], total: 0, facets: empty })
    }
  })

  test('finds nothing for a value that no product has, and accepts odd ones', async () => {
    for (const query of [
      'sizes=XXXXXXL',
      'colors=%27',
      'tags=%25',
      'tags=%00',
      'category=%00',
      'collection=%00',
      'sizes=__proto__',
      'colors=black%00',
    ]) {
      const { status, text } = await request(catalog.app, query)
      expect([200, 422], query).toContain(status)
      expect(status === 200 ? JSON.parse(text).total : 0, query).toBe(0)
    }
    const many = Array.from({ length: 2000 }, (_, index) => `S${index}`)
    expect((await request(catalog.app, { sizes: many, colors: many, tags: many })).status).toBeLessThan(500)
  })

  describe('its cursor', () => {
    const expectError = async (query: Record<string, string | number | undefined>) => {
      const { status, text } = await request(catalog.app, query)
      expect({ status, ...JSON.parse(text) }, queryString(query)).toMatchObject({
        status: 422,
        code: 'validation_failed',
      })
    }

    const cursorOf = async (query: Filters) => {
      const { nextCursor } = await readPage(catalog.app, { ...query, per_page: 5 })
      if (nextCursor === undefined) throw new Error(`there is no second page of ${queryString({ ...query })}`)
      return nextCursor
    }

    test('is rejected with another sort or other filters', async () => {
      const requested: Filters = { category: 'women', sort: 'newest' }
      const cursor = await cursorOf(requested)
      const page = await readPage(catalog.app, { ...requested, per_page: 5, cursor })
      expect(idsOf([page])).toEqual(naiveIds(requested).slice(5, 10))
      for (const sort of ProductSort.options) {
        if (sort !== 'newest') await expectError({ category: 'women', sort, cursor })
      }
      for (const change of [
        { category: 'men' },
        { category: undefined },
        { collection: 'summer' },
        { sizes: 'S' },
        { colors: 'Black' },
        { tags: 'eco' },
        { min_price: 1 },
        { max_price: 9000 },
        { in_stock: '1' },
        { q: 'linen' },
      ]) {
        await expectError({ category: 'women', sort: 'newest', per_page: 5, cursor, ...change })
      }
    })

    test('is rejected when it is garbage', async () => {
      const encoded = ['', '{}', '[]', 'null', '0', '"a"', '[null]', '{"sort":"newest"}', '[[[[', '{"__proto__":{}}']
      for (const cursor of [
        'x',
        '%',
        '0',
        '-1',
        'null',
        'undefined',
        'eyJ',
        '..',
        '../../etc/passwd',
        "' or 1=1 --",
        '\u0000',
        '🧥',
        '\u202E',
        'A'.repeat(10_000),
        '['.repeat(9000),
        ...encoded.map((text) => Buffer.from(text).toString('base64url') || 'bm8'),
        ...encoded.map((text) => text || ' '),
      ]) {
        await expectError({ sort: 'newest', cursor })
      }
      await expectError({ sort: 'newest', cursor: 'x', page: 2 })
      expect((await request(catalog.app, 'cursor=a&cursor=b')).status).toBe(422)
      expect((await request(catalog.app, 'cursor=')).status).toBeLessThan(500)
    })

    test('is rejected when any of it is missing', async () => {
      for (const sort of ProductSort.options) {
        const cursor = await cursorOf({ sort })
        for (let length = 1; length < cursor.length; length += 3) {
          await expectError({ sort, cursor: cursor.slice(0, length) })
          await expectError({ sort, cursor: cursor.slice(length) })
        }
        await expectError({ sort, cursor: cursor.slice(0, -1) })
      }
    })

    const expectPageOrError = async (sort: ProductSort, cursor: string) => {
      const { status, text } = await request(catalog.app, { sort, cursor })
      const what = `${sort} with ${Buffer.from(cursor, 'base64url').toString()}`
      expect([200, 422], what).toContain(status)
      if (status === 200) expect(ProductList.safeParse(JSON.parse(text)).error, what).toBeUndefined()
    }

    test('is rejected, or returns a valid page, when it was tampered with', async () => {
      for (const [index, sort] of ProductSort.options.entries()) {
        const cursor = await cursorOf({ sort })
        for (let place = index % PLACES_APART; place < cursor.length; place += PLACES_APART) {
          const forged = cursor.slice(0, place) + (cursor[place] === 'A' ? 'z' : 'A') + cursor.slice(place + 1)
          await expectPageOrError(sort, forged)
        }
        const forged = forgeries(cursor)
        expect(forged, sort).not.toEqual([])
        for (const each of forged) await expectPageOrError(sort, each)
      }
    })
  })

  // Last, because it changes the shop.
  test.each<ProductSort>(['newest', 'price-asc', 'rating'])(
    'skips and repeats nothing by the cursor of %s when products are added and deleted between two pages',
    async (sort) => {
      const first = await readPage(catalog.app, { sort, per_page: 5 })
      const before = naiveIds({ sort })
      const gone = shop.body.products.find(({ id }) => id === first.items.at(-1)?.id)
      const leader = shop.body.products.find(({ id }) => id === first.items[0]?.id)
      if (!gone || !leader) throw new Error('the first page is not of this shop')
      const { variants: _variants, ...shell } = leader
      const ahead = [1, 2].map((nth) => ({
        ...shell,
        id: `!${nth}-${sort}`,
        slug: `ahead-${nth}-${sort}`,
        variants: [],
      }))
      await importAll(catalog, suite, { products: [{ ...gone, published: false }, ...ahead] })
      shop.body.products = shop.body.products.map((each) => (each === gone ? { ...gone, published: false } : each))
      const second = await readPage(catalog.app, { sort, per_page: 5, cursor: first.nextCursor })
      expect(second.page).toBe(2)
      expect(idsOf([second])).toEqual(before.slice(5, 10))
      await importAll(catalog, suite, { products: ahead.map((each) => ({ ...each, published: false })) })
      expect(idsOf(await pagesByCursor(catalog.app, { sort }, 48))).toEqual(naiveIds({ sort }))
      for (const scope of [{}, ...CATEGORIES.map(({ slug }) => ({ category: slug }))]) {
        const { facets } = await readPage(catalog.app, scope)
        expect(colorsByName(facets), queryString(scope)).toEqual(naiveFacets(shop, scope))
      }
    },
  )

  describe('after a merchant rearranged it', () => {
    /** Without stock and sales: the effect of an import on those of an existing product is tested elsewhere. */
    const stableFilters = filters.map(({ sizes: _sizes, in_stock: _inStock, sort = 'newest', ...rest }): Filters => ({
      ...rest,
      sort: sort === 'featured' ? 'rating' : sort,
    }))

    const expectEverywhereAsNaive = async () => {
      facetTexts.clear()
      for (const { slug } of shop.body.categories) await expectAsNaive({ category: slug, sort: 'newest' })
      for (const { slug } of shop.body.collections) await expectAsNaive({ collection: slug, sort: 'price-asc' })
      await assert(asyncProperty(stableFilters, expectAsNaive), { seed: SEED, numRuns: amount({ quick: 4, long: 60 }) })
    }

    test('has moved categories and changed collections at their new places', async () => {
      const moved = shop.body.categories.map((category) =>
        category.slug === 'women-tops' ? { ...category, parent: 'extras' } : category,
      )
      const slugs = shop.body.products.flatMap(({ slug }) => slug ?? [])
      const changed = shop.body.collections.map((collection, index) => ({
        ...collection,
        products: slugs.filter((_, place) => place % (index + 3) === 0),
      }))
      Object.assign(shop.body, { categories: moved, collections: changed })
      await importAll(catalog, suite, {
        categories: moved.filter(({ slug }) => slug === 'women-tops'),
        collections: changed,
      })
      await expectEverywhereAsNaive()
    })

    test('has the remaining products when most were deleted, and all of them when those are added again', async () => {
      const all = { ...shop.body }
      const products = all.products.filter((_, index) => index % 5 === 0)
      const left = new Set(products.map(({ slug }) => slug))
      const reviews = all.reviews.filter(({ product }) => left.has(product))
      const collections = all.collections.map((collection) => ({
        ...collection,
        products: collection.products.filter((slug) => left.has(slug)),
      }))
      Object.assign(shop.body, { products, reviews, collections })
      await importAll(catalog, suite, { ...shop.body, mode: 'replace' })
      await expectEverywhereAsNaive()
      // In reverse order, so that new products take the places of others.
      Object.assign(shop.body, { ...all, products: all.products.toReversed() })
      await importAll(catalog, suite, { ...shop.body, mode: 'replace' })
      await expectEverywhereAsNaive()
    })
  })
})

/** The cursor with each of its values replaced, if it can be read as JSON. */
function forgeries(cursor: string): string[] {
  let read: unknown
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return []
  }
  if (typeof read !== 'object' || read === null) return []
  const entries = Object.entries(read)
  const poisons = [null, -1, 1e300, 0.5, '', 'x', "'; select 1", '\u0000', '\ud800', [], {}, true, '9'.repeat(400)]
  const dates = ['Infinity', '-infinity', '0000-00-00', '99999-01-01T00:00:00.000Z', '2024-02-31T00:00:00.000Z', 'NaN']
  return entries.flatMap(([name]) =>
    [...poisons, ...dates].map((poison) => {
      const forged = entries.map(([key, value]) => [key, key === name ? poison : value])
      const whole = Array.isArray(read) ? forged.map(([, value]) => value) : Object.fromEntries(forged)
      return Buffer.from(JSON.stringify(whole)).toString('base64url')
    }),
  )
}

describe('any stored product', () => {
  let suite: Suite
  let catalog: RunningCatalog

  beforeAll(async () => {
    suite = await createSuite('catalog')
    catalog = await startTestCatalog(suite)
    await importAll(catalog, suite, {
      categories: [{ slug: 'edge', name: 'Edge' }],
      sizeCharts: [{ id: 'tape', unit: 'cm', columns: ['Size'], rows: [] }],
    })
  })

  afterAll(async () => {
    await expectLedgerBalanced(suite)
    await catalog.stop()
    await suite.stop()
  })

  const expectListed = async (ids: string[]) => {
    for (const sort of ProductSort.options) {
      expect(idsOf(await pagesByNumber(catalog.app, { sort }, 48)).toSorted(), sort).toEqual(ids.toSorted())
      expect(idsOf(await pagesByCursor(catalog.app, { sort }, 7)).toSorted(), `${sort} by cursor`).toEqual(
        ids.toSorted(),
      )
    }
  }

  /** Imports all documents except those that an import rejects; every rejection must name its document. */
  async function importEach(documents: { id: string }[]): Promise<{ accepted: string[]; wrong: string[] }> {
    const accepted: string[] = []
    const wrong: string[] = []
    for (let start = 0; start < documents.length; start += AT_ONCE) {
      let products = documents.slice(start, start + AT_ONCE)
      while (products.length > 0) {
        const response = await importCatalogue(catalog.app, suite, { products })
        if (response.statusCode === 200) {
          accepted.push(...products.map(({ id }) => id))
          break
        }
        const rejected = response.statusCode === 422 ? indexesOfIssues(response.json().detail?.issues) : new Set()
        const left = products.filter((_, index) => !rejected.has(index))
        if (left.length === products.length) {
          wrong.push(
            `${response.statusCode} ${response.payload.slice(0, 300)} for ${JSON.stringify(products).slice(0, 1500)}`,
          )
          break
        }
        products = left
      }
    }
    return { accepted, wrong }
  }

  test('makes no list invalid: it is rejected with reasons or listed in a valid shape', async () => {
    const documents = sample(edgeProduct, { seed: SEED, numRuns: EDGES })
      .map((document, index) => ({ ...document, id: `edge_${index}`, slug: `edge-${index}` }))
      .filter((document) => ProductInput.safeParse(JSON.parse(JSON.stringify(document))).success)
    expect(documents.length).toBeGreaterThan(0.8 * EDGES)
    const { accepted, wrong } = await importEach(documents)
    expect(wrong).toEqual([])
    expect(accepted.length).toBeGreaterThan(0.45 * EDGES)
    await expectListed(accepted)
  })

  const oddDocuments = Object.entries(edges()).flatMap(([field, values]) =>
    values.map((value, index) => {
      const id = `${field}_${index}`
      return { title: 'Odd', price: usd(100), [field]: value, id, slug: `${field.toLowerCase()}-${index}` }
    }),
  )
  /** Imports them, and lists everything, because one invalid item breaks the whole list. */
  async function importOdd(): Promise<{ accepted: string[]; wrong: string[]; listed: string[] }> {
    const { accepted, wrong } = await importEach(oddDocuments)
    return { accepted, wrong, listed: idsOf(await pagesByNumber(catalog.app, {}, 48)) }
  }
  /** Once for the tests of all fields. */
  let importedOdd: ReturnType<typeof importOdd> | undefined

  test.each(Object.keys(edges()))('has a response for each odd value of its %s', async (field) => {
    const { accepted, wrong, listed } = await (importedOdd ??= importOdd())
    const ofField = (id: string) => id.startsWith(`${field}_`)
    const taken = accepted.filter(ofField)
    expect(taken.length).toBeGreaterThan(0)
    const valid = oddDocuments.filter(
      (document) => ofField(document.id) && ProductInput.safeParse(JSON.parse(JSON.stringify(document))).success,
    )
    expect(valid.map(({ id }) => id)).toEqual(expect.arrayContaining(taken))
    expect(listed).toEqual(expect.arrayContaining(taken))
    expect(wrong).toEqual([])
  })

  test('keeps its position between pages when it was made within the same millisecond as another', async () => {
    const moments = ['.123456Z', '.123Z', '.123001Z', '.123999Z', '.124Z', '.1229999Z', 'Z', '.0000004Z']
    const products = moments.map((fraction, index) =>
      shirt(`moment-${index}`, { createdAt: `2024-05-05T05:05:05${fraction}`, categories: ['edge'], tags: ['moment'] }),
    )
    await importAll(catalog, suite, { products })
    for (const perPage of [1, 2, 3]) {
      const ids = await expectSamePages(catalog.app, { tags: 'moment', sort: 'newest' }, perPage)
      expect(new Set(ids).size).toBe(moments.length)
    }
  })

  test('comes before all without a position when it has the last position', async () => {
    const product = (slug: string, position: number | null, createdAt: string) =>
      shirt(slug, { position, createdAt, tags: ['placed'] })
    await importAll(catalog, suite, {
      products: [
        product('placed-last', 2_147_483_647, '2020-01-01T00:00:00Z'),
        product('not-placed', null, '2024-01-01T00:00:00Z'),
        product('placed-first', -2_147_483_648, '2019-01-01T00:00:00Z'),
      ],
    })
    const list = await readPage(catalog.app, { tags: 'placed' })
    expect(list.items.map(({ slug }) => slug)).toEqual(['placed-first', 'placed-last', 'not-placed'])
    await expectSamePages(catalog.app, { tags: 'placed' }, 1)
  })

  test('has the lowest price of its variants, when it has no price of its own', async () => {
    const priced = (slug: string, prices: number[]) => ({
      ...shirt(slug, { price: undefined, tags: ['priced'], options: [{ name: 'Size', values: prices.map(String) }] }),
      variants: prices.map((amount) => ({ options: { Size: String(amount) }, price: usd(amount), inventory: 1 })),
    })
    await importAll(catalog, suite, { products: [priced('dear', [900, 700, 800]), priced('cheap', [0, 650])] })
    const list = await readPage(catalog.app, { tags: 'priced', sort: 'price-asc' })
    expect(list.items.map(({ slug, price }) => [slug, price.amount])).toEqual([
      ['cheap', 0],
      ['dear', 700],
    ])
    expect(await readPage(catalog.app, { tags: 'priced', min_price: 700, max_price: 700 })).toMatchObject({ total: 1 })
  })

  test('has distinct SKUs for variants without one, in whatever script their options are', async () => {
    const sizes = ['小', '大', 'S/M', 'S M', 's-m', '½']
    const variants = sizes.map((size) => ({ options: { Size: size }, inventory: 1 }))
    await importAll(catalog, suite, {
      products: [shirt('scripts', { tags: ['scripts'], options: [{ name: 'Size', values: sizes }], variants })],
    })
    const list = await readPage(catalog.app, { tags: 'scripts' })
    const skus = list.items.flatMap((item) => item.variants.map(({ sku }) => sku))
    expect(new Set(skus).size).toBe(sizes.length)
  })

  test('has each color once among the facets, in a stored hex value', async () => {
    const colored = (slug: string, swatches: Record<string, string>) => ({
      ...shirt(slug, { swatches, options: [{ name: 'Color', values: ['Red'] }] }),
      variants: [{ options: { Color: 'Red' }, inventory: 1 }],
      categories: ['tinted'],
    })
    await importAll(catalog, suite, {
      categories: [{ slug: 'tinted', name: 'Tinted' }],
      products: [
        colored('red-bare', {}),
        colored('red-one', { Red: '#ff0000' }),
        colored('red-two', { Red: '#ff0000' }),
        colored('red-other', { Red: '#ee0000' }),
      ],
    })
    const { facets } = await readPage(catalog.app, { category: 'tinted' })
    expect(facets.colors).toEqual([{ name: 'Red', hex: expect.stringMatching(/^#(?:ff|ee)0000$/) }])
  })

  test('is found by size and color only where one variant has both and can be bought', async () => {
    const variant = (size: string, color: string, inventory: number) => ({
      options: { SIZE: size, colour: color },
      inventory,
    })
    await importAll(catalog, suite, {
      products: [
        {
          slug: 'crossed',
          title: 'Crossed',
          price: usd(100),
          tags: ['crossed'],
          options: [
            { name: 'SIZE', values: ['S', 'M'] },
            { name: 'colour', values: ['Red', 'Blue'] },
          ],
          variants: [variant('S', 'Red', 1), variant('M', 'Blue', 1), variant('M', 'Red', 0)],
        },
      ],
    })
    const total = async (query: string) => JSON.parse((await request(catalog.app, `tags=crossed&${query}`)).text).total
    expect(await total('sizes=S&colors=Red')).toBe(1)
    expect(await total('sizes=S&colors=Blue')).toBe(0)
    expect(await total('sizes=M&colors=Red')).toBe(0)
    expect(await total('sizes=S,M&colors=Red')).toBe(1)
    expect(await total('sizes=M&colors=Blue,Red&in_stock=1')).toBe(1)
  })
})

/** The places in `products` of the rows that an import rejects. */
function indexesOfIssues(issues: { path: string }[] = []): Set<number> {
  return new Set(issues.map(({ path }) => Number(/^products\.(\d+)/.exec(path)?.[1])))
}

const ODD_TEXTS = [
  '\u200B',
  '\u2800',
  '\u3164',
  '\u0085',
  '.',
  'a\u0301',
  '👩‍👩‍👧‍👦',
  '\u202Eright to left',
  'with \u0000 inside',
  'half \uD83E a coat',
  '</script><script>',
  "'; drop table products; --",
  '\\u0000 \\',
  '\u2028\u2029',
]

function edges(): Record<string, unknown[]> {
  const longText = 'x'.repeat(1000)
  const variants = (count: number, row: (index: number) => object) => Array.from({ length: count }, (_, at) => row(at))
  const proto = { ['__proto__']: 'x' }
  return {
    title: [...ODD_TEXTS, 'x'.repeat(300), '🧥'.repeat(150)],
    subtitle: [...ODD_TEXTS, '', ' '],
    description: [...ODD_TEXTS, '', 'word '.repeat(4000), 'x'.repeat(20_000)],
    details: [[], [''], [longText, longText], ODD_TEXTS],
    care: [[], [' '], ODD_TEXTS],
    price: [usd(0), usd(1), usd(10_000_000_000)],
    compareAtPrice: [null, usd(0), usd(1), usd(10_000_000_000)],
    images: [
      [],
      [{ url: '/a.svg' }],
      [
        { id: 'same', url: '/a.svg' },
        { id: 'same', url: 'https://shop.test/b.png', color: '' },
      ],
      [{ url: '/a.svg', alt: '\u200B', width: 1, height: 100_000 }],
      [{ url: `/${'a'.repeat(1999)}`, alt: 'x'.repeat(500), color: '__proto__' }],
      [{ url: '/\u0000.svg' }],
    ],
    options: [
      [],
      ...['__proto__', 'constructor', 'toString', ' ', 'x'.repeat(100), '\u0000', 'hasOwnProperty'].map((name) => [
        { name, values: ['a', 'a ', 'a'] },
      ]),
      [{ name: 'Size', values: ['S', ''] }],
      [{ name: 'Size', values: [] }],
      [{ name: 'Size', values: [''] }],
      [
        { name: 'Size', values: ['S'] },
        { name: 'size', values: ['M'] },
        { name: 'Color', values: ['Red'] },
        { name: 'Colour', values: ['Blue'] },
      ],
    ],
    swatches: [
      {},
      proto,
      { constructor: '#000000', toString: '#FFF', valueOf: '#00000000' },
      { constructor: '#000000', toString: '#fff', valueOf: '' },
      { '': '', ' ': 'not a colour', Red: 'x'.repeat(30) },
      { 'a\u0000': '#000000' },
    ],
    variants: [
      [],
      [{}],
      [{ inventory: 1 }, { inventory: 2 }],
      [{ options: proto }],
      [{ options: { constructor: 'x', toString: 'y', hasOwnProperty: ' z ' } }],
      [{ options: { Size: '', Color: '' }, inventory: 1 }],
      [{ options: { Size: 'S', size: 'M', SIZE: 'L' }, inventory: 1 }],
      [{ sku: ' ' }],
      [{ sku: 'a\'\\"%' }],
      [{ sku: 'x\u0000' }],
      [{ id: 'odd id\n', sku: '🧥' }],
      [{ price: null, compareAtPrice: null }],
      [{ price: usd(0), compareAtPrice: usd(0) }],
      [{ price: usd(10_000_000_000), compareAtPrice: usd(1) }],
      [{ imageId: 'nothing' }],
      [{ imageId: '' }],
      variants(4, (at) => ({ sku: `much-${at}`, inventory: 1_000_000_000, options: { Size: String(at) } })),
      variants(1000, (at) => ({ sku: `many-${at}`, inventory: at % 2, options: { Size: String(at) } })),
    ],
    categories: [[], ['edge'], ['edge', 'edge'], ['nowhere']],
    tags: [
      [],
      ['', ' ', ','],
      ['same', 'same'],
      ODD_TEXTS,
      variants(100, (at) => [at]).map((_, at) => `${at}`.repeat(33)),
    ],
    badges: [[], ['new', 'sale', 'bestseller', 'low-stock', 'sold-out'], ['new', 'new']],
    createdAt: [
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '0099-12-31T23:59:59.999Z',
      '1969-12-31T23:59:59.9Z',
      '2024-02-29T12:00:00.123456789Z',
      '2024-02-29T12:00Z',
      '9999-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59.9999999Z',
    ],
    position: [
      null,
      0,
      -1,
      2_147_483_647,
      2_147_483_648,
      -2_147_483_649,
      9_007_199_254_740_991,
      -9_007_199_254_740_991,
    ],
    fit: [
      {},
      { verdict: null },
      { feedback: { small: -1, true: 200, large: 0 }, sample: 0 },
      { note: '\u0000', model: { height: -5, size: '' } },
    ],
    fabric: [{}, { composition: [] }, { composition: [['', -1e308]], weight: 1e308 }, { certifications: [''] }],
    sizeChartId: ['tape', '', 'nothing', '\u0000', '__proto__'],
    enrichment: [
      {},
      { highlights: [], features: [], assurances: [], specs: {}, manufacturer: {} },
      { specs: { ...proto, constructor: 'x' } },
      { specs: proto, manufacturer: proto },
      { specs: { 'a\u0000': 'b' } },
      { features: [{ icon: 'leaf', title: '', body: '' }], maker: { name: '', location: '' } },
    ],
    relatedSlugs: [[], ['nobody'], ['nobody', 'nobody']],
  }
}

/** Any field may have any of its odd values, together with those of the others. */
const edgeProduct: Arbitrary<Record<string, unknown>> = record(
  Object.fromEntries(
    Object.entries(edges())
      // SKUs are used once, and single rejections are tested elsewhere.
      .map(([field, values]): [string, unknown[]] => [field, field === 'variants' ? values.slice(0, 7) : values])
      .map(([field, values]) => [field, constantFrom(...values.filter((value) => !isRejectable(field, value)))]),
  ),
  { requiredKeys: ['title', 'price'] },
)

function isRejectable(field: string, value: unknown): boolean {
  const text = JSON.stringify(value)
  if (!ProductInput.safeParse({ title: 'Odd', [field]: JSON.parse(text) }).success) return true
  return /\\u0000|\\ud83e|__proto__|nowhere|nothing|^""$|^"0000|2024-02-29T12:00Z/.test(text)
}
