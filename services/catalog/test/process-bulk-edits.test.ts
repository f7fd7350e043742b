import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listOf, ProductList, ProductUpdated } from '@storefront/contracts'
import { amount, createSuite, expectLedgerBalanced, waitFor, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { bulkEditsOf, manyIds, SALE } from './bulk-edits.ts'
import { auditOf, pageOf, startTestCatalog, usd } from './catalog.ts'
import { projectedFacts } from './price-facts.ts'
import { openWriter, untilPublished, whileOpen } from './save-meanwhile.ts'

/** More than a hundred changes of one batch are one event. */
const BATCH = amount({ quick: 101, long: 500 })
/** At most a hundred changes of one batch have an event each. */
const SMALL_BATCH = amount({ quick: 10, long: 100 })

let suite: Suite
let catalog: RunningCatalog
let redis: Redis

const { send, start, finished, run, preview, product, patch, put } = bulkEditsOf(() => ({ suite, catalog }))

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, { BULK_EDIT_BATCH: String(BATCH) })
  redis = new Redis(suite.redisUrl)
})

afterAll(async () => {
  await expectLedgerBalanced(suite)
  redis.disconnect()
  await suite.stop()
})

const storefront = (slug: string) => pageOf(catalog.app, slug)

const slugsOf = async (query: string) =>
  ProductList.parse((await catalog.app.inject({ url: `/products?${query}` })).json()).items.map(({ slug }) => slug)

describe('a bulk edit', () => {
  test('changes the prices of products and of variants with their own prices, and shoppers see them', async () => {
    await put(['coat'], {
      variants: [
        { sku: 'S', options: { Size: 'S' }, inventory: 3 },
        { sku: 'M', options: { Size: 'M' }, price: usd(4500), inventory: 2 },
      ],
    })
    const { version } = await product('coat')
    const edit = await run({ ids: ['coat'] }, SALE)
    expect(edit).toMatchObject({
      state: 'done',
      total: 1,
      done: 1,
      changed: 1,
      unchanged: 0,
      failed: 0,
      problems: [],
      change: SALE,
    })
    expect(await product('coat')).toMatchObject({
      price: usd(3200),
      compareAtPrice: usd(4000),
      version: version + 1,
      variants: [
        { price: usd(3200), compareAtPrice: usd(4000), priceOverride: false, inventory: 3 },
        { price: usd(3600), compareAtPrice: usd(4500), priceOverride: true, inventory: 2 },
      ],
    })
    expect(await storefront('coat')).toMatchObject({ price: usd(3200), badges: expect.arrayContaining(['sale']) })
    expect(await slugsOf('max_price=3200')).toEqual(['coat'])
    expect(await run({ ids: ['coat'] }, { kind: 'end-sale' })).toMatchObject({ changed: 1 })
    expect(await product('coat')).toMatchObject({
      price: usd(4000),
      compareAtPrice: null,
      variants: [{ price: usd(4000) }, { price: usd(4500), compareAtPrice: null, priceOverride: true }],
    })
  })

  test('changes what carts read, and publishes and records the change of each product', async () => {
    await put(['cap', 'hat'])
    const versions = [(await product('cap')).version, (await product('hat')).version]
    await untilPublished(suite)
    const before = (await suite.eventsOf(ProductUpdated)).length
    const { id } = await run({ ids: ['cap', 'hat'] }, { kind: 'price', percent: 10 })
    const [{ id: variantId } = { id: '' }] = (await product('cap')).variants
    await waitFor('the price projection', async () => {
      return (await projectedFacts(redis, suite, variantId))?.price.amount === 4400
    })
    await untilPublished(suite)
    const events = (await suite.eventsOf(ProductUpdated)).slice(before)
    expect(events).toEqual([
      { productId: 'cap', slug: 'cap', version: (versions[0] ?? 0) + 1 },
      { productId: 'hat', slug: 'hat', version: (versions[1] ?? 0) + 1 },
    ])
    expect(await auditOf(suite, 'product', 'cap')).toEqual([
      { action: 'bulk-edit', actor: 'user_test', before: { price: usd(4000) }, after: { price: usd(4400) } },
    ])
    const ofEdit = await suite.sql(
      `select action, after from catalog.audit_entries where subject_kind = 'bulk-edit' and subject_id = $1 order by id`,
      [id],
    )
    expect(ofEdit).toEqual([
      { action: 'create', after: { products: 2, change: { kind: 'price', percent: 10, keepAsCompareAt: false } } },
      { action: 'update', after: { state: 'done', changed: 2, unchanged: 0, failed: 0 } },
    ])
  })

  test('of many products publishes one event for each large batch, and changes each product', async () => {
    const ids = manyIds(BATCH + SMALL_BATCH)
    await put(ids, { sizes: ['M'] })
    await untilPublished(suite)
    const before = (await suite.eventsOf(ProductUpdated)).length
    expect(await run({ filter: { q: 'shirt-' } }, { kind: 'tags', add: ['linen'] })).toMatchObject({
      total: ids.length,
      changed: ids.length,
    })
    await untilPublished(suite)
    const events = (await suite.eventsOf(ProductUpdated)).slice(before)
    expect(events.filter(({ slug }) => slug === '*')).toHaveLength(1)
    expect(events).toHaveLength(1 + SMALL_BATCH)
    expect(await suite.sql(`select 1 from catalog.products where tags = '{linen}'`)).toHaveLength(ids.length)
  })

  test('adds and removes tags and categories, publishes products and hides them', async () => {
    const categories = [
      { slug: 'men', name: 'Men' },
      { slug: 'sale', name: 'Sale' },
    ]
    await put(['coat', 'cap'], { categories: ['men'], tags: ['wool'] }, { categories })
    const both = { ids: ['coat', 'cap'] }
    await run(both, { kind: 'tags', add: ['winter'], remove: ['wool'] })
    await run(both, { kind: 'categories', add: ['sale'], remove: ['men'] })
    expect(await product('cap')).toMatchObject({ tags: ['winter'], categories: ['sale'] })
    expect((await slugsOf('category=sale')).toSorted()).toEqual(['cap', 'coat'])
    expect(await slugsOf('category=men')).toEqual([])
    await run({ ids: ['cap'] }, { kind: 'published', published: false })
    expect(await slugsOf('tags=winter')).toEqual(['coat'])
    expect((await catalog.app.inject({ url: '/products/cap' })).statusCode).toBe(404)
    expect(await run(both, { kind: 'published', published: true })).toMatchObject({ changed: 1, unchanged: 1 })
  })

  test('selects products as the list of the merchant does', async () => {
    await put(
      ['coat', 'cap'],
      { published: false, categories: ['men'] },
      { categories: [{ slug: 'men', name: 'Men' }] },
    )
    await send('POST', '/admin/products', { title: 'Coat of tin', price: usd(100) })
    for (const [filter, expected] of [
      [{}, 3],
      [{ q: 'coat' }, 2],
      [{ q: 'coat', published: 'false' }, 1],
      [{ category: 'men' }, 2],
      [{ category: 'none' }, 0],
    ] as const) {
      const query = new URLSearchParams(filter).toString()
      const { total } = listOf(z.unknown()).parse((await send('GET', `/admin/products?${query}`)).json())
      expect(total, query).toBe(expected)
      expect(await preview({ filter }, { kind: 'tags', add: ['x'] })).toMatchObject({ total, changed: total })
      expect(await run({ filter }, { kind: 'tags', add: [query || 'all'] })).toMatchObject({ total, changed: total })
    }
  })

  test('changes the others when some cannot be changed, and reports why', async () => {
    await put(['coat', 'cheap'])
    await patch('cheap', { price: usd(20) })
    const change = { kind: 'price', percent: -98 }
    const problems = [
      { id: 'cheap', title: 'Shirt cheap', reason: 'not-possible', message: 'A price would become 0.' },
      { id: 'gone', title: null, reason: 'deleted', message: 'This product does not exist.' },
    ]
    const ids = ['gone', 'coat', 'cheap', 'coat']
    expect(await preview({ ids }, change)).toMatchObject({ total: 3, changed: 1, failed: 2 })
    const edit = await run({ ids }, change)
    expect(edit).toMatchObject({ total: 3, done: 3, changed: 1, failed: 2 })
    expect(edit.problems.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(problems)
    expect((await product('coat')).price).toEqual(usd(80))
    expect((await product('cheap')).price).toEqual(usd(20))
  })

  test.each([
    ['cannot be saved', 'P0001'],
    ['takes too long to save', '57014'],
  ])('skips only a product that %s', async (_what, state) => {
    await put(manyIds(5))
    await suite.sql(`create function catalog.reject() returns trigger language plpgsql as
      $$ begin raise exception 'a fault' using errcode = '${state}' ; end $$`)
    await suite.sql(`create trigger reject before update on catalog.products for each row
      when (new.id = 'shirt-0002') execute function catalog.reject()`)
    const edit = await run({ filter: {} }, { kind: 'price', percent: -10 })
    await suite.sql('drop function catalog.reject cascade')
    expect(edit).toMatchObject({
      changed: 4,
      failed: 1,
      problems: [{ id: 'shirt-0002', reason: 'error', message: 'Something went wrong on our side.' }],
    })
    const prices = await Promise.all(manyIds(5).map(async (id) => (await product(id)).price.amount))
    expect(prices).toEqual([3600, 3600, 4000, 3600, 3600])
  })

  test('keeps a change that a merchant made to another field at the same time', async () => {
    await put(['coat'])
    const { version } = await product('coat')
    const writer = openWriter(suite)
    try {
      const edit = await whileOpen(
        suite,
        writer,
        async (tx) => {
          await tx.selectFrom('products').select('id').where('id', '=', 'coat').forUpdate().execute()
        },
        async () => {
          const started = await start({ ids: ['coat'] }, { kind: 'price', percent: -10 })
          await patch('coat', { title: 'Winter coat' })
          return started
        },
      )
      await finished(edit)
      expect(await product('coat')).toMatchObject({ title: 'Winter coat', price: usd(3600), version: version + 2 })
    } finally {
      await writer.destroy()
    }
  })

  test('that selects no product is done at once', async () => {
    await put([])
    expect(await run({ filter: {} }, SALE)).toMatchObject({ state: 'done', total: 0, done: 0 })
    expect(await preview({ filter: {} }, SALE)).toEqual({
      total: 0,
      changed: 0,
      unchanged: 0,
      failed: 0,
      sample: [],
      problems: [],
    })
  })
})
