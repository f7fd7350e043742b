import { assert, asyncProperty, array, constantFrom, integer, nat, record, type Arbitrary } from 'fast-check'
import { Redis } from 'ioredis'
import {
  Category,
  CategoryUpdated,
  listOf,
  Product,
  ProductList,
  ProductUpdated,
  type Permission,
} from '@storefront/contracts'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../src/database.ts'
import { holdCategories } from '../src/products/admin-products.queries.ts'
import { queueRefresh } from '../src/products/responses.queries.ts'
import type { RunningCatalog } from '../src/start.ts'
import { fill, importCatalogue, PUBLIC_URL, purgedBy, sendAsAdmin, shirt, startTestCatalog } from './catalog.ts'
import { projectedFacts } from './price-facts.ts'
import { lockProductMeanwhile, openWriter, saveMeanwhile, untilPublished, whileOpen } from './save-meanwhile.ts'

/** How often two writes are tried at once. */
const ROUNDS = amount({ quick: 3, long: 5 })

let suite: Suite
let catalog: RunningCatalog
let db: Database

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  db = openWriter(suite)
})

afterAll(async () => {
  await db.destroy()
  await suite.stop()
})

/** clothing > tops > shirts, clothing > coats, and sale beside them. */
const TREE = [
  { slug: 'clothing', name: 'Clothing' },
  { slug: 'tops', name: 'Tops', parent: 'clothing' },
  { slug: 'shirts', name: 'Chemises', parent: 'tops' },
  { slug: 'coats', name: 'Coats', parent: 'clothing' },
  { slug: 'sale', name: 'Reduced' },
]

const openShop = (body: Record<string, unknown>) => fill(catalog.app, suite, { mode: 'replace', settings: {}, ...body })

const openWithTree = () =>
  openShop({
    categories: TREE,
    products: [
      shirt('linen', { categories: ['shirts'] }),
      shirt('wool', { categories: ['shirts', 'sale'] }),
      shirt('duffel', { categories: ['coats'] }),
      shirt('draft', { categories: ['tops'], published: false }),
    ],
  })

const write = (method: 'POST' | 'DELETE', path: string, payload?: unknown) =>
  sendAsAdmin(catalog.app, suite, method, `/admin/categories${path}`, payload)

async function save(payload: unknown) {
  const response = await write('POST', '', payload)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response
}

async function remove(slug: string) {
  const response = await write('DELETE', `/${slug}`)
  expect(response, slug).toMatchObject({ status: 200, body: { ok: true } })
  return response
}

const read = async (url: string): Promise<unknown> => {
  const response = await catalog.app.inject({ url, headers: suite.headers.admin() })
  expect(response.statusCode, url).toBe(200)
  return response.json()
}
const tree = async () => listOf(Category).parse(await read('/categories'))
const flat = async () => listOf(Category).parse(await read('/categories?tree=0')).items
const category = async (slug: string) => (await flat()).find((each) => each.slug === slug)
const list = async (query: string) => ProductList.parse(await read(`/products?per_page=48&${query}`))
const slugs = async (query: string) => (await list(query)).items.map((item) => item.slug).toSorted()
const page = async (slug: string) => Product.parse(await read(`/products/${slug}`))
const parents = async () => Object.fromEntries((await flat()).map(({ slug, parent }) => [slug, parent]))

/** The expected ancestors of all categories, and the stored ones. */
async function expectAncestors(): Promise<void> {
  const stored = await suite.sql<{ line: string }>(
    `select slug || ' ' || ancestor as line from catalog.category_ancestors order by 1`,
  )
  const above = await parents()
  const lines = Object.keys(above).flatMap((slug) => {
    const ancestors: string[] = []
    for (let each: string | null | undefined = slug; each; each = above[each]) {
      expect(ancestors, 'no category is its own ancestor').not.toContain(each)
      ancestors.push(each)
    }
    return ancestors.map((ancestor) => `${slug} ${ancestor}`)
  })
  expect(stored.map((row) => row.line).toSorted()).toEqual(lines.toSorted())
}

describe('a saved category', () => {
  beforeEach(openWithTree)

  test('is created under its slug, comes last, and is in the next response', async () => {
    const { body, headers } = await save({ slug: 'hats', name: 'Hats', parent: 'clothing', blurb: 'For heads.' })
    expect(Category.parse(body)).toMatchObject({
      slug: 'hats',
      name: 'Hats',
      parent: 'clothing',
      blurb: 'For heads.',
      count: 0,
      image: { url: `${PUBLIC_URL}/media/placeholder.svg`, alt: 'Hats' },
    })
    expect(purgedBy(headers)).toContain('categories')
    const [clothing] = (await tree()).items
    expect(clothing?.children?.map((child) => child.slug)).toEqual(['tops', 'coats', 'hats'])
    await expectAncestors()
  })

  test('keeps fields that are left out, and loses those that are null', async () => {
    const image = { url: '/media/hats.jpg', alt: 'A hat' }
    await save({ slug: 'hats', name: 'Hats', parent: 'clothing', blurb: 'For heads.', image, position: 7 })
    const { body } = await save({ slug: 'hats', blurb: 'For cold heads.' })
    expect(body).toMatchObject({ name: 'Hats', parent: 'clothing', blurb: 'For cold heads.', position: 7 })
    expect(body.image).toEqual({ url: `${PUBLIC_URL}/media/hats.jpg`, alt: 'A hat' })
    expect((await save({ slug: 'hats', image: null, parent: null })).body).toMatchObject({
      parent: null,
      image: { alt: 'Hats' },
    })
    expect(await category('hats')).toMatchObject({ parent: null, blurb: 'For cold heads.' })
  })

  test('is listed at its position', async () => {
    await save({ slug: 'coats', position: -1 })
    expect((await tree()).items[0]?.children?.map((child) => child.slug)).toEqual(['coats', 'tops'])
  })

  test('can be changed where it is in a tree that was deeper before', async () => {
    await suite.sql(
      `insert into catalog.categories (slug, name, parent, blurb)
       select 'deep-' || nth, 'Deep', case when nth > 1 then 'deep-' || nth - 1 end, '' from generate_series(1, 22) as nth`,
    )
    expect((await save({ slug: 'deep-22', name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      parent: 'deep-21',
    })
    expect((await write('POST', '', { slug: 'deep-22', parent: 'deep-20' })).status).toBe(422)
    expect((await save({ slug: 'deep-22', parent: 'deep-19' })).body).toMatchObject({ parent: 'deep-19' })
  })

  test('comes last when it is new, after all given positions', async () => {
    await save({ slug: 'coats', position: 100 })
    await save({ slug: 'hats', name: 'Hats', parent: 'clothing' })
    const bags = { slug: 'bags', name: 'Bags', parent: 'clothing' }
    expect((await importCatalogue(catalog.app, suite, { categories: [bags] })).statusCode).toBe(200)
    expect((await tree()).items[0]?.children?.map((child) => child.slug)).toEqual(['tops', 'coats', 'hats', 'bags'])
  })

  test('shares the highest possible position with one that was given it', async () => {
    await save({ slug: 'coats', position: 2 ** 31 - 1 })
    expect((await save({ slug: 'hats', name: 'Hats', parent: 'clothing' })).body).toMatchObject({
      position: 2 ** 31 - 1,
    })
    expect((await tree()).items[0]?.children?.map((child) => child.slug)).toEqual(['tops', 'coats', 'hats'])
  })

  test('takes its products along when it moves, in counts, lists, facets and purged keys', async () => {
    expect(await slugs('category=sale')).toEqual(['wool'])
    const { headers } = await save({ slug: 'tops', parent: 'sale' })
    expect(purgedBy(headers)).toEqual(
      expect.arrayContaining(['categories', 'category:clothing', 'category:sale', 'product:linen']),
    )
    expect(await slugs('category=sale')).toEqual(['linen', 'wool'])
    expect(await slugs('category=clothing')).toEqual(['duffel'])
    expect((await list('category=sale')).facets.sizes).toEqual(['S', 'M'])
    const counts = Object.fromEntries((await flat()).map(({ slug, count }) => [slug, count]))
    expect(counts).toEqual({ clothing: 1, tops: 2, shirts: 2, coats: 1, sale: 2 })
    await expectAncestors()
  })

  test('is found by its new name and not by its old one', async () => {
    expect(await slugs('q=chemises')).toEqual(['linen', 'wool'])
    const { headers } = await save({ slug: 'shirts', name: 'Hemden' })
    expect(purgedBy(headers)).toContain('search')
    expect(await slugs('q=hemden')).toEqual(['linen', 'wool'])
    expect(await slugs('q=chemises')).toEqual([])
    await save({ slug: 'clothing', name: 'Bekleidung' })
    expect(await slugs('q=bekleidung')).toEqual(['duffel', 'linen', 'wool'])
  })

  test('purges everything when the slugs of its products are too long for a header', async () => {
    const products = Array.from({ length: 50 }, (_, number) =>
      shirt(`${'linen-'.repeat(30)}${number}`, {
        categories: ['shirts'],
        variants: [{ sku: `LINEN-${number}`, options: { Size: 'S' }, inventory: 1 }],
      }),
    )
    await openShop({ categories: TREE, products })
    const { headers } = await save({ slug: 'shirts', name: 'Hemden' })
    expect(purgedBy(headers)).toEqual(['*'])
  })

  test('leaves the responses of its products unchanged when only its blurb, picture or position among its siblings differs', async () => {
    const before = await suite.sql('select ordinal, xmin::text from catalog.listings order by 1')
    expect(before.length).toBeGreaterThan(0)
    const image = { url: '/media/shirts.jpg', alt: 'Shirts' }
    const { headers } = await save({ slug: 'shirts', blurb: 'New words', image, position: 50 })
    expect(purgedBy(headers)).toEqual(['categories'])
    expect(await suite.sql('select ordinal, xmin::text from catalog.listings order by 1')).toEqual(before)
  })

  test('is published as an event and recorded in the audit when it changes, and not otherwise', async () => {
    await suite.sql(`delete from catalog.audit_entries`)
    await untilPublished(suite)
    const published = (await suite.eventsOf(CategoryUpdated)).length
    await save({ slug: 'shirts', name: 'Hemden' })
    const again = await save({ slug: 'shirts', name: 'Hemden', parent: 'tops', blurb: '' })
    expect(again.headers['surrogate-purge']).toBeUndefined()
    await save({ slug: 'hats', name: 'Hats' })
    await waitFor('the events', async () => (await suite.eventsOf(CategoryUpdated)).length >= published + 2)
    expect((await suite.eventsOf(CategoryUpdated)).slice(published)).toEqual([{ slug: 'shirts' }, { slug: 'hats' }])
    const entries = await suite.sql(
      'select action, actor, subject_kind, subject_id, before, after from catalog.audit_entries order by id',
    )
    expect(entries).toMatchObject([
      {
        action: 'update',
        actor: 'user_test',
        subject_kind: 'category',
        subject_id: 'shirts',
        before: { name: 'Chemises' },
        after: { name: 'Hemden' },
      },
      { action: 'create', subject_id: 'hats', before: null, after: { slug: 'hats', name: 'Hats', parent: null } },
    ])
  })
})

describe('a category is rejected', () => {
  beforeAll(openWithTree)

  test('under a parent that does not exist', async () => {
    expect(await write('POST', '', { slug: 'hats', name: 'Hats', parent: 'nowhere' })).toMatchObject({
      status: 422,
      body: { code: 'unknown_parent', detail: { parent: 'nowhere' } },
    })
    expect(await category('hats')).toBeUndefined()
  })

  test.each([
    ['itself', 'clothing', 'clothing'],
    ['its child', 'clothing', 'tops'],
    ["its child's child", 'clothing', 'shirts'],
  ])('under %s', async (_what, slug, parent) => {
    const before = await parents()
    expect(await write('POST', '', { slug, parent })).toMatchObject({ status: 422, body: { code: 'category_cycle' } })
    expect(await parents()).toEqual(before)
  })

  test('under itself when it is new', async () => {
    expect(await write('POST', '', { slug: 'hats', name: 'Hats', parent: 'hats' })).toMatchObject({
      status: 422,
      body: { code: 'category_cycle' },
    })
  })

  test('without a name when it is new', async () => {
    expect(await write('POST', '', { slug: 'hats' })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', detail: { issues: [{ path: 'name' }] } },
    })
  })

  test('deeper than clients can nest it, by a creation or a move', async () => {
    const slugsOf = (name: string, levels: number) => [...Array(levels).keys()].map((level) => `${name}-${level}`)
    for (const [name, levels] of [
      ['deep', 20],
      ['side', 3],
    ] as const) {
      for (const [level, slug] of slugsOf(name, levels).entries()) {
        await save({ slug, name: slug, parent: level === 0 ? null : `${name}-${level - 1}` })
      }
    }
    const tooDeep = { status: 422, body: { code: 'validation_failed', detail: { issues: [{ path: 'parent' }] } } }
    expect(await write('POST', '', { slug: 'more', name: 'More', parent: 'deep-19' })).toMatchObject(tooDeep)
    expect(await write('POST', '', { slug: 'side-0', parent: 'deep-17' })).toMatchObject(tooDeep)
    await save({ slug: 'side-0', parent: 'deep-16' })
    await expectAncestors()
  })

  test.each([
    ['no body', ''],
    ['an array', []],
    ['a slug with capitals', { slug: 'Hats', name: 'Hats' }],
    ['a slug that is a path', { slug: '../hats', name: 'Hats' }],
    ['a blank name', { slug: 'hats', name: ' \n' }],
    ['a name that is a number', { slug: 'hats', name: 7 }],
    ['a name of a megabyte', { slug: 'hats', name: 'x'.repeat(1_000_000) }],
    ['NUL in its blurb', { slug: 'hats', name: 'Hats', blurb: 'a\0b' }],
    ['half a character', '{"slug":"hats","name":"\\ud800"}'],
    ['a parent that is a list', { slug: 'hats', name: 'Hats', parent: ['tops'] }],
    ['a fractional position', { slug: 'hats', name: 'Hats', position: 1.5 }],
    ['a position beyond the column', { slug: 'hats', name: 'Hats', position: 2 ** 31 }],
    ['a picture with a script', { slug: 'hats', name: 'Hats', image: { url: 'javascript:alert(1)', alt: 'x' } }],
    ['a picture without a text', { slug: 'hats', name: 'Hats', image: { url: '/media/a.jpg', alt: ' ' } }],
    ['endless nesting', '['.repeat(5000)],
  ])('with %s', async (_what, payload) => {
    const { status, body } = await write('POST', '', payload)
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed', requestId: expect.any(String) })
    expect(await category('hats')).toBeUndefined()
  })

  test('but not when it was read and is sent back whole', async () => {
    const stored = await read('/admin/categories')
    for (const { children: _children, ...each } of (await tree()).items) await save({ ...each, children: [] })
    await save(await category('shirts'))
    expect(await read('/admin/categories')).toEqual(stored)
  })

  test('with unknown names, but not with counts and children of one that was read', async () => {
    await save({ slug: 'hats', name: 'Hats', count: 99, children: [{ slug: 'x' }] })
    expect(await category('hats')).toMatchObject({ count: 0 })
    for (const name of ['constructor', 'productcounts', 'title']) {
      expect(await write('POST', '', { slug: 'caps', name: 'Caps', [name]: 1 })).toMatchObject({
        status: 422,
        body: { code: 'unknown_field', detail: { fields: [{ path: name }] } },
      })
    }
  })
})

describe('a deleted category', () => {
  beforeEach(openWithTree)

  test('promotes its children, and its products stay in their other categories', async () => {
    await remove('tops')
    expect(await parents()).toEqual({ clothing: null, shirts: 'clothing', coats: 'clothing', sale: null })
    expect(await slugs('category=clothing')).toEqual(['duffel', 'linen', 'wool'])
    await remove('shirts')
    expect((await page('linen')).categories).toEqual([])
    expect((await page('wool')).categories).toEqual(['sale'])
    expect(await slugs('category=clothing')).toEqual(['duffel'])
    expect(await slugs('category=shirts')).toEqual([])
    expect(await slugs('q=chemises')).toEqual([])
    await remove('clothing')
    expect(await parents()).toEqual({ coats: null, sale: null })
    expect(await slugs('')).toEqual(['duffel', 'linen', 'wool'])
    await expectAncestors()
  })

  test('leaves products as if the merchant had saved them without it', async () => {
    const rich = (categories: string[]) =>
      shirt('rich', {
        categories,
        tags: ['b', 'a'],
        swatches: { Zinc: '#777', Ash: '#eee' },
        enrichment: { specs: { weave: 'Twill', origin: 'Wales' }, maker: { name: 'Ann', location: 'Bala' } },
        fit: { note: 'Wide', verdict: 'runs-large' },
        relatedSlugs: ['wool'],
        images: [{ url: '/media/rich.jpg', color: 'Ash' }],
      })
    await importCatalogue(catalog.app, suite, { products: [rich(['shirts', 'coats'])] })
    const { categories: _before, ...before } = await page('rich')
    await remove('shirts')
    const { categories, ...after } = await page('rich')
    expect(categories).toEqual(['coats'])
    expect(after).toEqual(before)
    const again = await importCatalogue(catalog.app, suite, { products: [rich(['coats'])] })
    expect(again.json().counts.products).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 1 })
  })

  test('is published with its children and products, recorded, purged and removed from the price projection', async () => {
    const redis = new Redis(suite.redisUrl)
    const { id, variants } = await page('wool')
    const [{ version } = { version: 0 }] = await suite.sql<{ version: number }>(
      `select version::int from catalog.products where slug = 'wool'`,
    )
    const facts = () => projectedFacts(redis, suite, variants[0]?.id ?? '')
    expect((await facts())?.categories).toEqual(['clothing', 'sale', 'shirts', 'tops'])
    await untilPublished(suite)
    const [published, saved] = [await suite.eventsOf(CategoryUpdated), await suite.eventsOf(ProductUpdated)]
    const { headers } = await remove('sale')
    expect(purgedBy(headers)).toEqual(expect.arrayContaining(['categories', 'category:sale', 'product:wool']))
    expect((await facts())?.categories).toEqual(['clothing', 'shirts', 'tops'])
    await remove('tops')
    await waitFor('events', async () => (await suite.eventsOf(CategoryUpdated)).length >= published.length + 3)
    const events = (await suite.eventsOf(CategoryUpdated)).slice(published.length)
    expect(events).toEqual([{ slug: 'sale' }, { slug: 'tops' }, { slug: 'shirts' }])
    const updated = (await suite.eventsOf(ProductUpdated)).slice(saved.length).filter((each) => each.productId === id)
    expect(updated).toEqual([{ productId: id, slug: 'wool', version: version + 1 }])
    const [entry] = await suite.sql(`select action, before, after from catalog.audit_entries where subject_id = 'tops'`)
    expect(entry).toMatchObject({
      action: 'delete',
      before: { slug: 'tops', parent: 'clothing', promoted: ['shirts'], products: 1 },
      after: null,
    })
    redis.disconnect()
  })

  test.each(['nowhere', 'Tops', '%2e%2e', encodeURIComponent("'; drop table categories; --")])(
    'must exist: %s',
    async (slug) => {
      expect(await write('DELETE', `/${slug}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )

  test('does not undo a concurrent purchase', async () => {
    const { id, variants } = await page('linen')
    const variant = variants[0]?.id ?? ''
    const shelf = () => suite.sql('select on_hand, reserved from catalog.stock where variant_id = $1', [variant])
    await whileOpen(
      suite,
      db,
      async (tx) => {
        await tx.updateTable('stock').set({ reserved: 4 }).where('variant_id', '=', variant).execute()
        await queueRefresh(tx, [id])
      },
      () => remove('shirts'),
    )
    expect(await shelf()).toEqual([{ on_hand: 10, reserved: 4 }])
    await waitFor('the page', async () => (await page('linen')).variants[0]?.inventory === 6)
  })
})

describe('the price projection', () => {
  beforeEach(openWithTree)

  let redis: Redis
  beforeAll(() => {
    redis = new Redis(suite.redisUrl)
  })
  afterAll(() => redis.disconnect())

  /** The categories that a discount counts this product to. */
  const discounted = async (slug: string) => {
    const [variant] = (await page(slug)).variants
    return (await projectedFacts(redis, suite, variant?.id ?? ''))?.categories
  }

  test('names all categories of a product, and follows changes of the tree', async () => {
    expect(await discounted('linen')).toEqual(['clothing', 'shirts', 'tops'])
    await save({ slug: 'tops', parent: 'sale' })
    expect(await discounted('linen')).toEqual(['sale', 'shirts', 'tops'])
    expect(await discounted('duffel')).toEqual(['clothing', 'coats'])
    await save({ slug: 'tops', parent: null })
    expect(await discounted('linen')).toEqual(['shirts', 'tops'])
    await save({ slug: 'tops', parent: 'clothing' })
    await remove('clothing')
    expect(await discounted('linen')).toEqual(['shirts', 'tops'])
    expect(await discounted('duffel')).toEqual(['coats'])
    await remove('tops')
    expect(await discounted('wool')).toEqual(['sale', 'shirts'])
  })

  test('follows an import that moves categories and leaves their products unchanged', async () => {
    const moved = await importCatalogue(catalog.app, suite, {
      categories: [{ slug: 'tops', name: 'Tops', parent: 'sale' }],
    })
    expect(moved.json().counts).toMatchObject({ categories: { updated: 1 } })
    expect(await discounted('linen')).toEqual(['sale', 'shirts', 'tops'])
    const products = ['linen', 'wool'].map((slug) => shirt(slug, { categories: ['shirts'] }))
    await openShop({ categories: TREE.filter(({ slug }) => slug !== 'sale'), products })
    expect(await discounted('linen')).toEqual(['clothing', 'shirts', 'tops'])
    expect(await discounted('wool')).toEqual(['clothing', 'shirts', 'tops'])
  })
})

describe('the merchant’s list of categories', () => {
  beforeEach(openWithTree)

  test('has them in order, flat, with drafts counted separately', async () => {
    for (const [position, { slug }] of TREE.entries()) await save({ slug, position })
    await save({ slug: 'coats', image: { url: '/media/coats.jpg', alt: 'Coats' } })
    const response = await catalog.app.inject({ url: '/admin/categories', headers: suite.headers.admin() })
    expect(response.headers['surrogate-key']).toBeUndefined()
    const { items, total } = response.json()
    expect(total).toBe(5)
    expect(items.map((each: { slug: string }) => each.slug)).toEqual(TREE.map((each) => each.slug))
    expect(items[0]).toMatchObject({ slug: 'clothing', count: 3, productCount: 4, image: null })
    expect(items[1]).toMatchObject({ slug: 'tops', count: 2, productCount: 3, parent: 'clothing' })
    expect(items[3]).toMatchObject({ image: { url: '/media/coats.jpg', alt: 'Coats' }, position: expect.any(Number) })
  })
})

test('only an admin with the permission reads or writes categories', async () => {
  await openWithTree()
  const admin = (...permissions: Permission[]) => suite.headers.admin(permissions)
  const calls = [
    ['GET', '', undefined],
    ['POST', '', { slug: 'hats', name: 'Hats' }],
    ['DELETE', '/tops', undefined],
  ] as const
  for (const [method, path, payload] of calls) {
    const send = async (headers: Record<string, string>) => {
      const url = `/admin/categories${path}`
      return (await catalog.app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode
    }
    expect(await send({}), method).toBe(401)
    expect(await send(suite.headers.anonymous()), method).toBe(401)
    expect(await send(suite.headers.customer('cus_1')), method).toBe(403)
    expect(await send(admin('orders:write', method === 'GET' ? 'inventory:write' : 'catalog:read')), method).toBe(403)
  }
  expect(await parents()).toMatchObject({ tops: 'clothing' })
  expect(await category('hats')).toBeUndefined()
})

test('a category with more than a hundred products is deleted with one event for all of them', async () => {
  await openWithTree()
  const products = Array.from({ length: 101 }, (_, nth) =>
    shirt(`crowd-${nth}`, { sizes: ['M'], categories: ['crowd'] }),
  )
  const loaded = await importCatalogue(catalog.app, suite, { products, categories: [{ slug: 'crowd', name: 'Crowd' }] })
  expect(loaded.statusCode, loaded.payload.slice(0, 300)).toBe(200)
  await untilPublished(suite)
  const published = (await suite.eventsOf(ProductUpdated)).length
  await remove('crowd')
  await untilPublished(suite)
  expect((await suite.eventsOf(ProductUpdated)).slice(published).map(({ productId }) => productId)).toEqual(['*'])
})

describe('concurrent writers', () => {
  beforeEach(openWithTree)

  test('a product that is added to a category while the category moves is listed under its new place', async () => {
    await save({ slug: 'hats', name: 'Hats', parent: 'clothing' })
    await saveMeanwhile(suite, db, shirt('bowler', { categories: ['hats'] }), () =>
      save({ slug: 'hats', parent: 'sale' }),
    )
    expect(await slugs('category=hats')).toEqual(['bowler'])
    expect(await slugs('category=sale')).toEqual(['bowler', 'wool'])
    expect(await slugs('category=clothing')).not.toContain('bowler')
  })

  test('a product that is added to a category while it is deleted is without it', async () => {
    await save({ slug: 'hats', name: 'Hats', parent: 'clothing' })
    await saveMeanwhile(suite, db, shirt('bowler', { categories: ['hats'] }), () => remove('hats'))
    expect((await page('bowler')).categories).toEqual([])
    expect(await slugs('category=clothing')).not.toContain('bowler')
    const again = await importCatalogue(catalog.app, suite, { products: [shirt('bowler', { categories: [] })] })
    expect(again.json().counts.products).toMatchObject({ unchanged: 1 })
  })

  test('an import that renames a category and a change of a product in it do not deadlock', async () => {
    await save({ slug: 'hats', name: 'Hats' })
    await importCatalogue(catalog.app, suite, { products: [shirt('bowler', { categories: ['hats'] })] })
    const renamed = {
      categories: [{ slug: 'hats', name: 'Headwear' }],
      products: [shirt('bowler', { title: 'The bowler', categories: ['hats'] })],
    }
    const imported = await lockProductMeanwhile(suite, db, {
      slug: 'bowler',
      locked: (tx) => holdCategories(tx, ['hats']),
      request: () => importCatalogue(catalog.app, suite, renamed),
    })
    expect(imported.statusCode, imported.payload).toBe(200)
    expect(await category('hats')).toMatchObject({ name: 'Headwear' })
    expect(await page('bowler')).toMatchObject({ title: 'The bowler' })
  })

  test('an import that names a category that is being deleted gets it or an error', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await save({ slug: 'hats', name: 'Hats' })
      const slug = `hat-${round}`
      const [imported] = await Promise.all([
        importCatalogue(catalog.app, suite, { products: [shirt(slug, { categories: ['hats', 'sale'] })] }),
        remove('hats'),
      ])
      const outcome = imported.statusCode === 200 ? (await page(slug)).categories : imported.json().code
      expect([['sale'], 'validation_failed']).toContainEqual(outcome)
    }
  })

  test('a product that is saved into a category that is being deleted is without it or rejected', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await save({ slug: 'hats', name: 'Hats' })
      const slug = `hat-${round}`
      const [saved] = await Promise.all([
        sendAsAdmin(catalog.app, suite, 'POST', '/admin/products', shirt(slug, { categories: ['hats', 'sale'] })),
        remove('hats'),
      ])
      const outcome = saved.status < 300 ? (await page(slug)).categories : saved.body.code
      expect([['sale'], 'validation_failed']).toContainEqual(outcome)
    }
  })

  test('two moves that would form a cycle: one of them is rejected', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await openShop({ categories: ['a', 'b', 'c'].map((slug) => ({ slug, name: slug })) })
      const responses = await Promise.all([
        write('POST', '', { slug: 'a', parent: 'b' }),
        write('POST', '', { slug: 'b', parent: 'c' }),
        write('POST', '', { slug: 'c', parent: 'a' }),
      ])
      expect(responses.map((response) => response.status).toSorted((one, other) => one - other)).toEqual([
        200, 200, 422,
      ])
      expect(responses.find((response) => response.status === 422)?.body).toMatchObject({ code: 'category_cycle' })
      await expectAncestors()
    }
  })

  test('a child that is added while its parent is deleted is promoted or rejected', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await save({ slug: 'hats', name: 'Hats', parent: 'clothing' })
      const [, child] = await Promise.all([
        remove('hats'),
        write('POST', '', { slug: `hat-${round}`, name: 'A hat', parent: 'hats' }),
      ])
      const outcome = child.status === 200 ? (await category(`hat-${round}`))?.parent : child.body.code
      expect(['clothing', 'unknown_parent']).toContain(outcome)
      await expectAncestors()
    }
  })

  const names = 'abcdefghijkl'.split('')
  const move = record({
    slug: constantFrom(...names),
    parent: constantFrom(...names),
    isDeletion: nat(9).map((chance) => chance === 0),
  })
  const run = async ({ slug, parent, isDeletion }: { slug: string; parent: string; isDeletion: boolean }) =>
    (isDeletion ? await write('DELETE', `/${slug}`) : await write('POST', '', { slug, name: slug, parent })).status
  const plant = async () => {
    for (const slug of names) await save({ slug, name: slug, parent: null })
  }

  test('fifty concurrent writers leave the categories a forest, whatever they change', async () => {
    await assert(
      asyncProperty(array(move, { minLength: 50, maxLength: 50 }), async (moves) => {
        await plant()
        for (const status of await Promise.all(moves.map(run))) expect([200, 404, 422]).toContain(status)
        await expectAncestors()
      }),
      { numRuns: amount({ quick: 1, long: 8 }) },
    )
  })

  test('a concurrent import leaves the categories a forest as well', async () => {
    await assert(
      asyncProperty(array(move, { minLength: 4, maxLength: 4 }), move, async (moves, { slug, parent }) => {
        await plant()
        const [imported, ...statuses] = await Promise.all([
          importCatalogue(catalog.app, suite, { categories: [{ slug, name: slug, parent }] }),
          ...moves.map(run),
        ])
        for (const status of [imported.statusCode, ...statuses]) expect([200, 404, 422]).toContain(status)
        await expectAncestors()
      }),
      { numRuns: amount({ quick: 1, long: 8 }) },
    )
  })
})

test('an import that would close a cycle with stored categories is rejected', async () => {
  await openWithTree()
  const response = await importCatalogue(catalog.app, suite, {
    categories: [{ slug: 'clothing', name: 'Clothing', parent: 'shirts' }],
  })
  expect(response.statusCode).toBe(422)
  expect(response.json()).toMatchObject({ code: 'validation_failed' })
  expect(await parents()).toMatchObject({ clothing: null })
})

describe('after any sequence of changes of the tree', () => {
  beforeEach(openWithTree)

  type Step = { what: 'save' | 'delete'; slug: string; parent: string | null; name: number }
  const names = 'abcdefg'.split('')
  const step: Arbitrary<Step> = record({
    what: constantFrom('save', 'save', 'save', 'delete'),
    slug: constantFrom(...names),
    parent: constantFrom(null, ...names),
    name: integer({ min: 0, max: 3 }),
  })

  class Model {
    readonly rows = new Map<string, { parent: string | null; name: string }>()
    readonly products = new Map<string, string | undefined>()

    /** The category itself and those above it. */
    ancestorsOf(slug: string): string[] {
      const row = this.rows.get(slug)
      return row ? [slug, ...(row.parent === null ? [] : this.ancestorsOf(row.parent))] : []
    }

    run({ what, slug, parent, name }: Step): number {
      const row = this.rows.get(slug)
      if (what === 'delete') {
        if (!row) return 404
        this.rows.delete(slug)
        for (const each of this.rows.values()) if (each.parent === slug) each.parent = row.parent
        for (const [product, of] of this.products) if (of === slug) this.products.set(product, undefined)
        return 200
      }
      if (parent !== null && (parent === slug || !this.rows.has(parent) || this.ancestorsOf(parent).includes(slug)))
        return 422
      this.rows.set(slug, { parent, name: `name${name}` })
      return 200
    }

    in(slug: string): string[] {
      return [...this.products]
        .flatMap(([product, of]) => (of !== undefined && this.ancestorsOf(of).includes(slug) ? [product] : []))
        .toSorted()
    }

    named(word: string): string[] {
      const has = (of: string) => this.ancestorsOf(of).some((each) => this.rows.get(each)?.name === word)
      return [...this.products].flatMap(([product, of]) => (of !== undefined && has(of) ? [product] : [])).toSorted()
    }
  }

  test('counts, lists, words and ancestors match the resulting tree', async () => {
    await openShop({})
    await assert(
      asyncProperty(array(step, { minLength: 1, maxLength: 12 }), nat(2), async (steps, drafts) => {
        const model = new Model()
        for (const [index, slug] of names.entries()) {
          model.rows.set(slug, { parent: index % 3 === 0 ? null : (names[index - 1] ?? null), name: 'name0' })
          if (index > drafts) model.products.set(`product-${slug}`, slug)
        }
        const shop = await importCatalogue(catalog.app, suite, {
          categories: [...model.rows].map(([slug, { parent, name }]) => ({ slug, name, parent })),
          products: names.map((slug, index) =>
            shirt(`product-${slug}`, { categories: [slug], sizes: ['M'], published: index > drafts }),
          ),
        })
        expect(shop.statusCode, shop.payload.slice(0, 500)).toBe(200)
        for (const { what, slug, parent, name } of steps) {
          const { status } =
            what === 'delete'
              ? await write('DELETE', `/${slug}`)
              : await write('POST', '', { slug, parent, name: `name${name}` })
          expect(status).toBe(model.run({ what, slug, parent, name }))
        }
        const rows = await flat()
        expect(Object.fromEntries(rows.map((row) => [row.slug, row.parent]))).toEqual(
          Object.fromEntries([...model.rows].map(([slug, { parent }]) => [slug, parent])),
        )
        for (const { slug, count } of rows) expect(count, slug).toBe(model.in(slug).length)
        for (const slug of names) expect(await slugs(`category=${slug}`), slug).toEqual(model.in(slug))
        for (const word of ['name1', 'name2', 'name3'])
          expect(await slugs(`q=${word}`), word).toEqual(model.named(word))
        await expectAncestors()
      }),
      { numRuns: amount({ quick: 2, long: 10 }) },
    )
  })
})
