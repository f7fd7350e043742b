import { manualClock } from '@storefront/service/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, type Messaging } from '@storefront/messaging'
import {
  Category,
  Collection,
  listOf,
  newId,
  OrderPlaced,
  Product,
  ProductList,
  ReleaseInventory,
  WishlistRemoved,
  WishlistSaved,
} from '@storefront/contracts'
import { createSuite, expectLedgerBalanced, type Suite, waitFor } from '@storefront/tools/testing'
import { keepBadgesOnce } from '../src/products/keep-badges.ts'
import { refreshQueued } from '../src/products/process-refresh-queue.ts'
import type { RunningCatalog } from '../src/start.ts'
import { FREQUENT_POLLS, importCatalogue, shirt, startTestCatalog, usd } from './catalog.ts'
import { hold, orderFor, publishEvent } from './orders.ts'

const DAY_MS = 24 * 3600 * 1000
const LONG_AGO = '2024-01-01T00:00:00.000Z'
/** Far enough in the past that no test moves it beyond the validity of its actors' signatures. */
const clock = manualClock('2025-03-03T12:00:00.000Z')

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging
let identity: Messaging

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, FREQUENT_POLLS, clock)
  orders = await suite.openMessaging('orders')
  identity = await suite.openMessaging('identity')
})

afterAll(async () => {
  await expectLedgerBalanced(suite)
  await suite.stop()
})

/** Replaces the shop with exactly these records. */
async function openShop(body: Record<string, unknown>): Promise<void> {
  await change({ mode: 'replace' })
  await change({ mode: 'replace', ...body })
}

async function change(body: Record<string, unknown>): Promise<void> {
  const response = await importCatalogue(catalog.app, suite, body)
  expect(response.json()).toMatchObject({ ok: true })
}

/** A shirt that is not new, in one size. */
const plain = (slug: string, options: Parameters<typeof shirt>[1] = {}) =>
  shirt(slug, { sizes: ['M'], createdAt: LONG_AGO, ...options })

const read = async (url: string): Promise<unknown> => {
  const response = await catalog.app.inject({ url })
  expect(response.statusCode, url).toBe(200)
  return response.json()
}
const page = async (slug: string) => Product.parse(await read(`/products/${slug}`))
const list = async (query = '') => ProductList.parse(await read(`/products?per_page=48&${query}`))
const slugs = async (query = '') => (await list(query)).items.map((item) => item.slug)
const social = async (slug: string) => (await page(slug)).social

/** The values in the list and on the page, which must be the same. */
async function badges(slug: string): Promise<string[]> {
  const onPage = (await page(slug)).badges
  expect((await list()).items.find((item) => item.slug === slug)?.badges).toEqual(onPage)
  return onPage
}

/** Works as another replica until the expectations hold; a timeout has the failed one as its cause. */
async function eventually(what: string, check: () => Promise<void>, { ranks = false } = {}): Promise<void> {
  await waitFor(what, async () => {
    if (ranks) await keepBadgesOnce(catalog.context)
    await refreshQueued(catalog.context)
    await check()
    return true
  })
}

async function variantId(slug: string, place = 0): Promise<string> {
  return (await page(slug)).variants[place]?.id ?? ''
}

async function release({ claim }: { claim: string }): Promise<void> {
  expect(await sendRequest(orders, ReleaseInventory, { claim })).toEqual({ released: true })
}

const orderOf = (slug: string, quantity: number) => orderFor(catalog.app, orders, slug, { quantity, at: clock.now() })

async function sell(slug: string, quantity: number): Promise<void> {
  await publishEvent(orders, OrderPlaced, await orderOf(slug, quantity))
}

describe('badges', () => {
  test('sale follows the price, from five percent on', async () => {
    await openShop({ products: [plain('linen')] })
    expect(await badges('linen')).toEqual([])
    const priced = async (amount: number, compareAt: number | null) => {
      const compareAtPrice = compareAt === null ? null : usd(compareAt)
      await change({ products: [plain('linen', { price: usd(amount), compareAtPrice })] })
      return badges('linen')
    }
    expect(await priced(4000, 5000)).toEqual(['sale'])
    expect(await priced(4751, 5000)).toEqual([])
    expect(await priced(4750, 5000)).toEqual(['sale'])
    expect(await priced(5000, 5000)).toEqual([])
    expect(await priced(3000, 5000)).toEqual(['sale'])
    expect(await priced(3000, null)).toEqual([])
  })

  test('low-stock and sold-out follow reservations and their release, over all variants', async () => {
    await openShop({ products: [plain('linen', { sizes: ['S', 'M'], inventory: 4 })] })
    const [small, medium] = [await variantId('linen', 0), await variantId('linen', 1)]
    const standsAt = (units: number, expected: string[]) =>
      eventually(`${units} units`, async () => {
        expect(await social('linen')).toMatchObject({ unitsAvailable: units })
        expect(await badges('linen')).toEqual(expected)
      })
    await standsAt(8, [])
    const smallOnes = await hold(orders, small, 2)
    await standsAt(6, [])
    const mediumOne = await hold(orders, medium, 1)
    await standsAt(5, ['low-stock'])
    const lastSmall = await hold(orders, small, 2)
    const lastMedium = await hold(orders, medium, 3)
    await standsAt(0, ['sold-out'])
    await release(mediumOne)
    await standsAt(1, ['low-stock'])
    await release(lastMedium)
    await release(smallOnes)
    await standsAt(6, [])
    await release(lastSmall)
    await standsAt(8, [])
  })

  test('new is removed after 30 days, unless the merchant pinned it', async () => {
    const createdAt = clock.now().toISOString()
    await openShop({
      products: [
        shirt('fresh'),
        shirt('dated', { createdAt }),
        shirt('pinned', { badges: ['new'] }),
        plain('old'),
        shirt('draft', { published: false }),
      ],
    })
    for (const slug of ['fresh', 'dated', 'pinned']) expect(await badges(slug), slug).toEqual(['new'])
    expect(await badges('old')).toEqual([])
    clock.advance(30 * DAY_MS - 1)
    await change({ products: [shirt('dated', { createdAt, tags: ['touched'] })] })
    expect(await badges('dated')).toEqual(['new'])
    clock.advance(1)
    // Nothing but the service's own timer ranks the products here.
    await eventually('the end of thirty days', async () => {
      expect(await badges('fresh')).toEqual([])
      expect(await badges('dated')).toEqual([])
    })
    expect(await badges('pinned')).toEqual(['new'])
    // A draft that is published after 30 days is not new.
    await change({ products: [shirt('draft')] })
    expect(await badges('draft')).toEqual([])
  })

  test('bestseller is for a tenth of the shop and at least five units, and moves to products that sell more', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `shirt-${String.fromCodePoint(97 + index)}`)
    await openShop({ products: names.map((slug) => plain(slug, { inventory: 50 })) })
    const bestsellers = async () =>
      (await list()).items.filter((item) => item.badges.includes('bestseller')).map((item) => item.slug)
    await sell('shirt-d', 4)
    await sell('shirt-a', 3)
    await eventually('the sales', async () => {
      expect(await social('shirt-d')).toMatchObject({ boughtLast30Days: 4 })
      expect(await social('shirt-a')).toMatchObject({ boughtLast30Days: 3 })
    })
    await sell('shirt-a', 2)
    await eventually('five units', async () => expect(await bestsellers()).toEqual(['shirt-a']), { ranks: true })
    expect(await badges('shirt-a')).toEqual(['bestseller'])
    await sell('shirt-b', 6)
    await sell('shirt-c', 7)
    await eventually('two that sell more', async () => expect(await bestsellers()).toEqual(['shirt-c', 'shirt-b']), {
      ranks: true,
    })
    expect(await badges('shirt-a')).toEqual([])
    expect((await slugs()).slice(0, 4)).toEqual(['shirt-c', 'shirt-b', 'shirt-a', 'shirt-d'])
  })
})

describe('events of other services', () => {
  test('boughtLast30Days counts an order once however often its event arrives, for 30 days', async () => {
    await openShop({ products: [plain('linen', { inventory: 30 }), plain('wool')] })
    expect(await social('linen')).toEqual({ unitsAvailable: 30, boughtLast30Days: 0, savedCount: 0 })
    // Without these held units a second sale of the same goods would be hidden by a check of the quantity.
    await hold(orders, await variantId('linen'), 10)
    const first = await orderOf('linen', 3)
    const eventId = newId('event')
    await publishEvent(orders, OrderPlaced, first, eventId)
    await publishEvent(orders, OrderPlaced, first, eventId)
    await publishEvent(orders, OrderPlaced, first)
    await sell('linen', 1)
    await eventually('both orders', async () => expect(await social('linen')).toMatchObject({ boughtLast30Days: 4 }))
    // The event arrives again after it was processed: under the same id, and under another one.
    await publishEvent(orders, OrderPlaced, first, eventId)
    await publishEvent(orders, OrderPlaced, first)
    clock.advance(29 * DAY_MS)
    await sell('linen', 2)
    await eventually('the third order', async () =>
      expect(await social('linen')).toEqual({ unitsAvailable: 14, boughtLast30Days: 6, savedCount: 0 }),
    )
    clock.advance(DAY_MS)
    await eventually(
      'the end of thirty days',
      async () => expect(await social('linen')).toEqual({ unitsAvailable: 14, boughtLast30Days: 2, savedCount: 0 }),
      { ranks: true },
    )
    expect(await social('wool')).toMatchObject({ boughtLast30Days: 0 })
  })

  test('savedCount counts each save once and each removal, in whatever order they arrive', async () => {
    await openShop({ products: [plain('linen'), plain('wool')] })
    const { id: productId } = await page('linen')
    const counts = (savedCount: number) =>
      eventually(`${savedCount} saved`, async () => expect(await social('linen')).toMatchObject({ savedCount }))
    const entry = () => ({ entryId: newId('event'), productId })
    const [first, second, third, last] = [entry(), entry(), entry(), entry()]

    const savedId = newId('event')
    await publishEvent(identity, WishlistSaved, first, savedId)
    await publishEvent(identity, WishlistSaved, first, savedId)
    await publishEvent(identity, WishlistSaved, first)
    await publishEvent(identity, WishlistSaved, second)
    await counts(2)

    const removedId = newId('event')
    await publishEvent(identity, WishlistRemoved, first, removedId)
    await publishEvent(identity, WishlistRemoved, first, removedId)
    await publishEvent(identity, WishlistRemoved, first)
    await counts(1)

    await publishEvent(identity, WishlistRemoved, third)
    await waitFor('the removal', async () => {
      const removed = await suite.sql('select 1 from catalog.product_saves where entry_id = $1 and removed', [
        third.entryId,
      ])
      return removed.length === 1
    })
    await publishEvent(identity, WishlistSaved, third)
    await publishEvent(identity, WishlistSaved, first, savedId)
    // Events of one kind are handled in their order: when this one counts, those before it were handled.
    await publishEvent(identity, WishlistSaved, last)
    await waitFor('the last save', async () => {
      const saved = await suite.sql('select 1 from catalog.product_saves where entry_id = $1', [last.entryId])
      return saved.length === 1
    })
    const counted = await suite.sql<{ entry_id: string }>(
      'select entry_id from catalog.product_saves where product_id = $1 and not removed',
      [productId],
    )
    expect(counted.map((row) => row.entry_id).toSorted()).toEqual([second.entryId, last.entryId].toSorted())
    await counts(2)
    expect(await social('wool')).toMatchObject({ savedCount: 0 })
  })

  test('rating and its order follow the reviews', async () => {
    await openShop({ products: ['linen', 'silk', 'wool'].map((slug) => plain(slug)) })
    const rated = async (slug: string) => {
      const { rating } = await page(slug)
      expect((await list()).items.find((item) => item.slug === slug)?.rating).toEqual(rating)
      return rating
    }
    const review = (product: string, author: string, rating: number) => ({ product, author, rating })
    expect(await rated('linen')).toEqual({ average: 0, count: 0 })
    await change({ reviews: [review('linen', 'Ada', 4), review('wool', 'Ada', 5)] })
    expect(await rated('linen')).toEqual({ average: 4, count: 1 })
    expect(await slugs('sort=rating')).toEqual(['wool', 'linen', 'silk'])
    await change({ reviews: [review('wool', 'Bo', 1), review('wool', 'Cy', 5), review('silk', 'Bo', 3)] })
    // 11 stars from 3 buyers.
    expect(await rated('wool')).toEqual({ average: 3.67, count: 3 })
    expect(await slugs('sort=rating')).toEqual(['linen', 'wool', 'silk'])
    await change({ reviews: [review('linen', 'Ada', 4), review('silk', 'Cy', 5)] })
    expect(await rated('linen')).toEqual({ average: 4, count: 1 })
    // The same average: the one with more reviews comes first.
    expect(await slugs('sort=rating')).toEqual(['silk', 'linen', 'wool'])
  })

  test("fit.feedback is shown from five ratings on, beside the merchant's statement", async () => {
    const fit = { verdict: 'runs-small', note: 'Slim' }
    await openShop({ products: [plain('linen', { fit }), plain('wool')] })
    const respond = (product: string, author: string, given?: string) => ({
      product,
      author,
      rating: 4,
      ...(given !== undefined && { fit: given }),
    })
    const trueToSize = ['Ada', 'Bo', 'Cy'].map((author) => respond('wool', author, 'true'))
    await change({ reviews: [...trueToSize, respond('wool', 'Di', 'small'), respond('wool', 'Ed')] })
    expect(await page('wool')).not.toHaveProperty('fit')
    await change({ reviews: [respond('wool', 'Flo', 'large')] })
    expect((await page('wool')).fit).toEqual({ feedback: { small: 20, true: 60, large: 20 }, sample: 5 })
    await change({ reviews: [respond('wool', 'Gus', 'small')] })
    expect((await page('wool')).fit).toEqual({ feedback: { small: 33, true: 50, large: 17 }, sample: 6 })
    expect((await page('linen')).fit).toEqual(fit)
    await change({ reviews: ['Ada', 'Bo', 'Cy', 'Di', 'Ed'].map((author) => respond('linen', author, 'small')) })
    expect((await page('linen')).fit).toEqual({ ...fit, feedback: { small: 100, true: 0, large: 0 }, sample: 5 })
  })
})

describe('stock', () => {
  test('a reservation of the last unit takes the variant out of the filters until it is released', async () => {
    const variant = (size: string, color: string) => ({
      sku: `LINEN-${size}-${color}`,
      options: { Size: size, Color: color },
      inventory: 1,
    })
    const variants = [variant('S', 'Red'), variant('S', 'Blue'), variant('M', 'Red')]
    const options = [
      { name: 'Size', values: ['S', 'M'] },
      { name: 'Color', values: ['Red', 'Blue'] },
    ]
    await openShop({ products: [plain('linen', { options, variants }), plain('wool', { inventory: 0 })] })
    const QUERIES = ['in_stock=true', 'sizes=S', 'sizes=M', 'sizes=S&colors=Red', 'sizes=S&colors=Blue', 'colors=Blue']
    const found = async () => {
      const hits = await Promise.all(QUERIES.map(async (query) => ({ query, total: (await list(query)).total })))
      return hits.filter(({ total }) => total === 1).map(({ query }) => query)
    }
    const shows = (available: boolean[], queries: string[]) =>
      eventually('the stock', async () => {
        const item = (await list()).items.find(({ slug }) => slug === 'linen')
        for (const product of [item, await page('linen')]) {
          expect(product?.variants.map((each) => each.available)).toEqual(available)
          expect(product?.variants.map((each) => each.inventory)).toEqual(available.map(Number))
        }
        expect(await found()).toEqual(queries)
        // A sold-out size is still a size of the shop.
        expect((await list()).facets.sizes).toEqual(['S', 'M'])
      })
    await shows([true, true, true], QUERIES)
    const redSmall = await hold(orders, await variantId('linen', 0), 1)
    await shows([false, true, true], ['in_stock=true', 'sizes=S', 'sizes=M', 'sizes=S&colors=Blue', 'colors=Blue'])
    const blueSmall = await hold(orders, await variantId('linen', 1), 1)
    await shows([false, false, true], ['in_stock=true', 'sizes=M', 'colors=Blue'])
    await hold(orders, await variantId('linen', 2), 1)
    await shows([false, false, false], ['colors=Blue'])
    await release(blueSmall)
    await shows([false, true, false], ['in_stock=true', 'sizes=S', 'sizes=S&colors=Blue', 'colors=Blue'])
    await release(redSmall)
    await change({ products: [plain('linen', { options, variants })] })
    await shows([true, true, true], QUERIES)
  })

  test('unitsAvailable is the number that can be bought: reservations reduce it, and their sale does not again', async () => {
    await openShop({ products: [plain('linen', { sizes: ['S', 'M'], inventory: 10 })] })
    const units = (unitsAvailable: number, boughtLast30Days: number) =>
      eventually(`${unitsAvailable} units`, async () =>
        expect(await social('linen')).toEqual({ unitsAvailable, boughtLast30Days, savedCount: 0 }),
      )
    await units(20, 0)
    const held = await hold(orders, await variantId('linen', 1), 4)
    await units(16, 0)
    const order = await orderOf('linen', 3)
    await units(13, 0)
    await publishEvent(orders, OrderPlaced, order)
    await units(13, 3)
    await release(held)
    await units(17, 3)
    await change({ products: [plain('linen', { sizes: ['S', 'M'], inventory: 6 })] })
    await units(12, 3)
  })
})

describe('counts', () => {
  const CATEGORIES = [
    { slug: 'clothes', name: 'Clothes' },
    { slug: 'tops', name: 'Tops', parent: 'clothes' },
    { slug: 'shirts', name: 'Shirts', parent: 'tops' },
    { slug: 'bottoms', name: 'Bottoms', parent: 'clothes' },
    { slug: 'gifts', name: 'Gifts' },
  ]

  /** Slugs with their counts, one list from both responses and from the lists themselves, which must agree. */
  async function categoryCounts(): Promise<Record<string, number>> {
    const Categories = listOf(Category)
    const flat = Categories.parse(await read('/categories?tree=0')).items
    const tree = Categories.parse(await read('/categories')).items
    const counts = Object.fromEntries(flat.map(({ slug, count }) => [slug, count]))
    const nodes = (level: readonly Category[]): Category[] =>
      level.flatMap((node) => [node, ...nodes(node.children ?? [])])
    expect(Object.fromEntries(nodes(tree).map(({ slug, count }) => [slug, count]))).toEqual(counts)
    for (const { slug, count } of flat) expect((await list(`category=${slug}`)).total, slug).toBe(count)
    return counts
  }

  const linen = { categories: ['shirts', 'tops'] }
  const wool = { categories: ['shirts', 'gifts'] }
  const jeans = { categories: ['bottoms'], published: false }
  const openDepartments = () =>
    openShop({
      categories: CATEGORIES,
      products: [plain('linen', linen), plain('wool', wool), plain('jeans', jeans), plain('loose')],
    })

  test('of categories follow published products, each counted once with all parents', async () => {
    await openDepartments()
    expect(await categoryCounts()).toEqual({ clothes: 2, tops: 2, shirts: 2, bottoms: 0, gifts: 1 })
    await change({ products: [plain('jeans', { ...jeans, published: true })] })
    expect(await categoryCounts()).toEqual({ clothes: 3, tops: 2, shirts: 2, bottoms: 1, gifts: 1 })
    await change({ products: [plain('wool', { ...wool, published: false })] })
    expect(await categoryCounts()).toEqual({ clothes: 2, tops: 1, shirts: 1, bottoms: 1, gifts: 0 })
    await change({ mode: 'replace', categories: CATEGORIES, products: [plain('linen', linen)] })
    expect(await categoryCounts()).toEqual({ clothes: 1, tops: 1, shirts: 1, bottoms: 0, gifts: 0 })
  })

  test('of categories follow a product that moves', async () => {
    await openDepartments()
    await change({ products: [plain('linen', { categories: ['bottoms', 'gifts'] })] })
    expect(await categoryCounts()).toEqual({ clothes: 2, tops: 1, shirts: 1, bottoms: 1, gifts: 2 })
    await change({ products: [plain('linen', { categories: [] }), plain('loose', { categories: ['tops'] })] })
    expect(await categoryCounts()).toEqual({ clothes: 2, tops: 2, shirts: 1, bottoms: 0, gifts: 1 })
  })

  test('of categories follow a category that moves', async () => {
    await openDepartments()
    await change({ categories: [{ slug: 'shirts', name: 'Shirts', parent: 'gifts' }] })
    expect(await categoryCounts()).toEqual({ clothes: 1, tops: 1, shirts: 2, bottoms: 0, gifts: 2 })
    await change({ categories: [{ slug: 'shirts', name: 'Shirts', parent: null }] })
    expect(await categoryCounts()).toEqual({ clothes: 1, tops: 1, shirts: 2, bottoms: 0, gifts: 1 })
    // With all its subcategories.
    await change({ categories: [{ slug: 'clothes', name: 'Clothes', parent: 'gifts' }] })
    expect(await categoryCounts()).toEqual({ clothes: 1, tops: 1, shirts: 2, bottoms: 0, gifts: 2 })
    await change({ categories: CATEGORIES })
    expect(await categoryCounts()).toEqual({ clothes: 2, tops: 2, shirts: 2, bottoms: 0, gifts: 1 })
  })

  test('of collections follow their membership and published products', async () => {
    const summer = (...products: string[]) => ({ slug: 'summer', title: 'Summer', products })
    const count = async () => {
      const [first] = listOf(Collection).parse(await read('/collections')).items
      expect((await list('collection=summer')).total).toBe(first?.count)
      return first?.count
    }
    await openShop({
      products: [plain('linen'), plain('wool'), plain('jeans', { published: false })],
      collections: [summer('linen', 'jeans')],
    })
    expect(await count()).toBe(1)
    await change({ collections: [summer('wool', 'linen', 'jeans')] })
    expect(await count()).toBe(2)
    await change({ products: [plain('jeans')] })
    expect(await count()).toBe(3)
    await change({ products: [plain('wool', { published: false })] })
    expect(await count()).toBe(2)
    await change({ collections: [summer('wool', 'jeans')] })
    expect(await count()).toBe(1)
    await change({ collections: [summer()] })
    expect(await count()).toBe(0)
  })
})

describe('facets', () => {
  test('follow a product that appears, changes and disappears, in the shop, its category and its collection', async () => {
    const linen = plain('linen', { categories: ['shirts'], tags: ['summer'] })
    const wool = {
      categories: ['shirts'],
      tags: ['warm'],
      price: usd(9000),
      swatches: { Red: '#ff0000' },
      options: [
        { name: 'Size', values: ['XL'] },
        { name: 'Color', values: ['Red'] },
      ],
      variants: [{ sku: 'WOOL-XL', options: { Size: 'XL', Color: 'Red' }, inventory: 3 }],
    }
    const elsewhere = plain('socks', { sizes: ['38'], tags: ['feet'], price: usd(500) })
    const all = { slug: 'all', title: 'All', products: ['linen', 'wool', 'socks'] }
    const withoutWool = { ...all, products: ['linen', 'socks'] }
    const place = {
      categories: [
        { slug: 'tops', name: 'Tops' },
        { slug: 'shirts', name: 'Shirts', parent: 'tops' },
      ],
    }
    // Read after each change, so that cached values could be out of date after the next.
    const facets = async () => {
      const ofShirts = (await list('category=shirts')).facets
      expect((await list('category=tops')).facets).toEqual(ofShirts)
      // Over the whole category or collection, whatever the filters.
      expect((await list('category=tops&sizes=M&max_price=4000')).facets).toEqual(ofShirts)
      const ofShop = (await list()).facets
      expect((await list('collection=all')).facets).toEqual(ofShop)
      return { ofShirts, ofShop }
    }
    const before = {
      ofShirts: { sizes: ['M'], colors: [], tags: ['summer'], priceRange: { min: 4000, max: 4000 } },
      ofShop: { sizes: ['M', '38'], colors: [], tags: ['feet', 'summer'], priceRange: { min: 500, max: 4000 } },
    }
    const colors = [{ name: 'Red', hex: '#ff0000' }]

    await openShop({ ...place, products: [linen, elsewhere], collections: [withoutWool] })
    expect(await facets()).toEqual(before)

    await change({ products: [plain('wool', wool)], collections: [all] })
    expect(await facets()).toEqual({
      ofShirts: { sizes: ['M', 'XL'], colors, tags: ['summer', 'warm'], priceRange: { min: 4000, max: 9000 } },
      ofShop: {
        sizes: ['M', 'XL', '38'],
        colors,
        tags: ['feet', 'summer', 'warm'],
        priceRange: { min: 500, max: 9000 },
      },
    })

    await change({ products: [plain('wool', { ...wool, price: usd(300) })] })
    const cheaper = await facets()
    expect(cheaper.ofShirts.priceRange).toEqual({ min: 300, max: 4000 })
    expect(cheaper.ofShop.priceRange).toEqual({ min: 300, max: 4000 })

    await change({ products: [plain('wool', { ...wool, tags: ['soft'], swatches: { Red: '#cc0000' } })] })
    const reworded = await facets()
    expect(reworded.ofShirts).toMatchObject({ tags: ['soft', 'summer'], colors: [{ name: 'Red', hex: '#cc0000' }] })
    expect(reworded.ofShop).toMatchObject({ tags: ['feet', 'soft', 'summer'], priceRange: { min: 500, max: 9000 } })

    await change({ products: [plain('wool', { ...wool, published: false })] })
    expect(await facets()).toEqual(before)
    await change({ products: [plain('wool', wool)] })
    expect((await facets()).ofShirts.priceRange).toEqual({ min: 4000, max: 9000 })
    await change({ mode: 'replace', ...place, products: [linen, elsewhere], collections: [withoutWool] })
    expect(await facets()).toEqual(before)

    await change({ mode: 'replace', ...place })
    const nothing = { sizes: [], colors: [], tags: [], priceRange: { min: 0, max: 0 } }
    expect((await list()).facets).toEqual(nothing)
    expect((await list('category=tops')).facets).toEqual(nothing)
  })
})
