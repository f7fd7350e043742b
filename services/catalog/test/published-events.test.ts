import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CategoryUpdated,
  InventoryUpdated,
  ProductDeleted,
  ProductUpdated,
  SettingsUpdated,
} from '@storefront/contracts'
import { createSuite, expectLedgerBalanced, waitFor, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { fill, pageOf, shirt, startTestCatalog } from './catalog.ts'
import { untilPublished } from './save-meanwhile.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(async () => {
  await expectLedgerBalanced(suite)
  await suite.stop()
})

beforeEach(async () => {
  await save({ mode: 'replace' })
})

/** A variant without stock may be left out. */
async function sellOut(sku: string): Promise<void> {
  const [variant] = await suite.sql<{ id: string }>('select id from catalog.variants where sku = $1', [sku])
  await send('PATCH', `/admin/variants/${variant?.id}/inventory`, { quantity: 0 })
}

const save = (body: Record<string, unknown>) => fill(catalog.app, suite, body)

async function send(method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const response = await catalog.app.inject({
    method,
    url,
    headers: suite.headers.admin(),
    ...(payload === undefined ? {} : { payload }),
  })
  expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
  return response
}

const page = (slug: string) => pageOf(catalog.app, slug)
const many = (count: number, more: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, nth) => shirt(`many-${nth}`, { sizes: ['M'], ...more }))

/** All events until now, as `type slug`. */
async function published(): Promise<string[]> {
  await waitFor(
    'the products to be refreshed',
    async () => (await suite.sql('select 1 from catalog.refresh_queue limit 1')).length === 0,
  )
  await untilPublished(suite)
  const events = [ProductUpdated, ProductDeleted, InventoryUpdated, CategoryUpdated] as const
  const named = await Promise.all(
    events.map(async (event) => (await suite.eventsOf(event)).map(({ slug }) => `${event.name} ${slug}`)),
  )
  return [...named.flat(), ...(await suite.eventsOf(SettingsUpdated)).map(() => 'settings.updated')]
}

/** The events of a write, in alphabetical order. */
async function publishedBy(write: () => Promise<unknown>): Promise<string[]> {
  const before = await published()
  await write()
  const earlier = [...before]
  return (await published())
    .filter((each) => {
      const place = earlier.indexOf(each)
      if (place >= 0) earlier.splice(place, 1)
      return place < 0
    })
    .toSorted()
}

describe('a product with a new slug', () => {
  test('has events for both: the page of the old one is out of date', async () => {
    await save({ products: [shirt('linen')] })
    const { id } = await page('linen')
    expect(await publishedBy(() => send('PATCH', `/admin/products/${id}`, { slug: 'flax' }))).toEqual([
      'product.updated flax',
      'product.updated linen',
    ])
    expect(await publishedBy(() => send('PATCH', `/admin/products/${id}`, { title: 'Flax' }))).toEqual([
      'product.updated flax',
    ])
    const products = [shirt('hemp', { id, title: 'Flax' })]
    expect(await publishedBy(() => save({ products }))).toEqual(['product.updated flax', 'product.updated hemp'])
    expect(await publishedBy(() => save({ products }))).toEqual([])
  })

  test('that another product had until then has one event', async () => {
    const pair = (one: string, other: string) => [
      shirt(one, { id: 'prod_one', sizes: ['S'] }),
      shirt(other, { id: 'prod_other', sizes: ['M'] }),
    ]
    await save({ products: pair('left', 'right') })
    expect(await publishedBy(() => save({ products: pair('right', 'left') }))).toEqual([
      'product.updated left',
      'product.updated right',
    ])
  })
})

describe('an import', () => {
  test('of quantities publishes the stock, and no product changes', async () => {
    const products = (inventory: number) => [shirt('wool', { inventory, sizes: ['S', 'M'] })]
    await save({ products: products(3) })
    expect(await publishedBy(() => save({ products: products(3) }))).toEqual([])
    expect(await publishedBy(() => save({ products: products(4) }))).toEqual([
      'inventory.updated wool',
      'inventory.updated wool',
    ])
  })

  test('that changes more than a hundred quantities publishes one event for all', async () => {
    const sizes = (count: number) => Array.from({ length: count }, (_, nth) => `${nth}`)
    const products = (inventory: number, count: number) => [shirt('wide', { inventory, sizes: sizes(count) })]
    await save({ products: products(1, 101) })
    expect(await publishedBy(() => save({ products: products(2, 101) }))).toEqual(['product.updated *'])
    await sellOut('WIDE-100')
    const hundred = [shirt('wide', { inventory: 3, sizes: sizes(100) })]
    const events = await publishedBy(() => save({ products: hundred }))
    expect(events.filter((each) => each === 'inventory.updated wide')).toHaveLength(100)
    expect(events).toHaveLength(101)
  })

  test('of more than a hundred products publishes no single events, for deleted or sold-out ones either', async () => {
    await save({ products: many(101) })
    expect(await publishedBy(() => save({ products: many(101, { inventory: 0 }) }))).toEqual(['product.updated *'])
    expect(await publishedBy(() => save({ mode: 'replace' }))).toEqual(['product.updated *'])
  })

  test('of many quantities publishes the product that it deletes beside the one event for all', async () => {
    const sizes = Array.from({ length: 101 }, (_, nth) => `${nth}`)
    const wide = (inventory: number) => shirt('wide', { inventory, sizes })
    await save({ mode: 'replace', products: [wide(1), shirt('gone')] })
    const events = await publishedBy(() => save({ mode: 'replace', products: [wide(2)] }))
    expect(events.toSorted()).toEqual(['product.deleted gone', 'product.updated *'])
  })

  test('that refreshes many products still publishes the stock of the one that changed', async () => {
    const categories = (name: string) => [{ slug: 'crowd', name }]
    await save({ categories: categories('Crowd'), products: many(101, { categories: ['crowd'] }) })
    const one = shirt('many-0', { sizes: ['M'], categories: ['crowd'], inventory: 4 })
    expect(await publishedBy(() => save({ categories: categories('Mob'), products: [one] }))).toEqual([
      'category.updated crowd',
      'inventory.updated many-0',
    ])
  })

  test('of reviews publishes changes of their products, as far as shoppers see them', async () => {
    const review = (id: string, product: string, more = {}) => ({ id, product, author: 'Ada', rating: 5, ...more })
    await save({ products: many(2) })
    const seen = review('rev_a', 'many-0')
    const unseen = review('rev_b', 'many-1', { published: false })
    expect(await publishedBy(() => save({ reviews: [seen, unseen] }))).toEqual(['product.updated many-0'])
    expect(await publishedBy(() => save({ reviews: [seen, unseen] }))).toEqual([])
    const hidden = { ...seen, published: false }
    expect(await publishedBy(() => save({ reviews: [hidden] }))).toEqual(['product.updated many-0'])
    expect(await publishedBy(() => save({ mode: 'replace', products: many(2), reviews: [unseen] }))).toEqual([])
  })

  test('of settings, size charts and a library publishes one event, and none when repeated', async () => {
    const sizeCharts = [{ id: 'tops', unit: 'cm', columns: ['Size', 'Chest'], rows: [['S', 90]] }]
    const library = { attributes: [{ key: 'collar', label: 'Collar', group: 'details', values: ['Spread'] }] }
    const body = { settings: { store: { name: 'Shop', tagline: 'Fine' } }, sizeCharts, library }
    expect(await publishedBy(() => save(body))).toEqual(['settings.updated'])
    expect(await publishedBy(() => save(body))).toEqual([])
    const turned = { ...body, mode: 'replace', settings: { store: { tagline: 'Fine', name: 'Shop' } } }
    expect(await publishedBy(() => save(turned))).toEqual([])
  })

  test('of more than a hundred categories and collections publishes one event for all', async () => {
    const categories = Array.from({ length: 60 }, (_, nth) => ({ slug: `part-${nth}`, name: 'Part' }))
    const collections = Array.from({ length: 41 }, (_, nth) => ({ slug: `edit-${nth}`, title: 'Edit' }))
    expect(await publishedBy(() => save({ categories, collections }))).toEqual(['category.updated *'])
    expect(await publishedBy(() => save({ categories, collections }))).toEqual([])
    expect(await publishedBy(() => save({ mode: 'replace', categories }))).toHaveLength(41)
  })

  test('that reorders categories publishes it', async () => {
    const [men, women] = [
      { slug: 'men', name: 'Men' },
      { slug: 'women', name: 'Women' },
    ]
    await save({ mode: 'replace', categories: [men, women] })
    expect(await publishedBy(() => save({ mode: 'replace', categories: [men, women] }))).toEqual([])
    expect(await publishedBy(() => save({ mode: 'replace', categories: [women, men] }))).toEqual([
      'category.updated men',
      'category.updated women',
    ])
  })
})

test('a category with more than a hundred below it is deleted with one event', async () => {
  const below = Array.from({ length: 100 }, (_, nth) => ({ slug: `below-${nth}`, name: 'Below', parent: 'top' }))
  await save({ categories: [{ slug: 'top', name: 'Top' }, ...below] })
  expect(await publishedBy(() => send('DELETE', '/admin/categories/top'))).toEqual(['category.updated *'])
})

test('the later of two events about many products never has the lower version, whatever the clock shows', async () => {
  // Published by a replica whose clock was wrong.
  const ahead = Date.parse('2099-01-01T00:00:00Z')
  await suite.sql('update catalog.bulk_event_version set version = $1', [ahead])
  await save({ products: many(101) })
  await untilPublished(suite)
  expect((await suite.eventsOf(ProductUpdated)).findLast(({ slug }) => slug === '*')?.version).toBe(ahead + 1)
})
