import { array, assert, asyncProperty, constantFrom, nat, option, record } from 'fast-check'
import { CategoryUpdated, Collection, listOf, ProductList } from '@storefront/contracts'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { fill, importCatalogue, PUBLIC_URL, purgedBy, sendAsAdmin, shirt, startTestCatalog } from './catalog.ts'
import { untilPublished } from './save-meanwhile.ts'

const ID = 'prod_wool'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(() => suite.stop())

const openShop = (body: Record<string, unknown>) => fill(catalog.app, suite, { mode: 'replace', ...body })

const openWithProducts = () =>
  openShop({
    products: [
      shirt('linen'),
      shirt('wool', { id: ID }),
      shirt('silk', { sizes: ['XL'] }),
      shirt('draft', { published: false }),
    ],
  })

const write = (method: 'POST' | 'DELETE', path: string, payload?: unknown) =>
  sendAsAdmin(catalog.app, suite, method, `/admin/collections${path}`, payload)

async function save(payload: Record<string, unknown>) {
  const response = await write('POST', '', payload)
  expect(response.status, JSON.stringify(response.body).slice(0, 500)).toBe(200)
  return response
}

const get = (url: string) => sendAsAdmin(catalog.app, suite, 'GET', url)
const collections = async () => listOf(Collection).parse((await get('/collections')).body).items
const list = async (query: string) => ProductList.parse((await get(`/products?per_page=48&${query}`)).body)
const slugs = async (query: string) => (await list(query)).items.map((item) => item.slug).toSorted()
const products = async (slug: string): Promise<string[]> => (await get(`/admin/collections/${slug}`)).body.products

describe('an invalid collection', () => {
  beforeAll(openWithProducts)

  test.each([
    ['no body', ''],
    ['no title', { slug: 'new' }],
    ['a blank title', { slug: 'new', title: ' ' }],
    ['a slug with a blank', { slug: 'new one', title: 'New' }],
    ['products that are a text', { slug: 'new', title: 'New', products: 'silk' }],
    ['products that are objects', { slug: 'new', title: 'New', products: [{ slug: 'silk' }] }],
    ['a product with NUL', { slug: 'new', title: 'New', products: ['si\0lk'] }],
    ['a product that is a path', { slug: 'new', title: 'New', products: ['../silk'] }],
    ['products that are null', { slug: 'new', title: 'New', products: null }],
    ['an endless blurb', { slug: 'new', title: 'New', blurb: 'x'.repeat(500_000) }],
    ['too many products', { slug: 'new', title: 'New', products: Array(20_001).fill('silk') }],
    ['a picture that is a text', { slug: 'new', title: 'New', image: '/media/new.jpg' }],
    ['endless nesting', `{"slug":"new","title":"New","products":${'['.repeat(5000)}`],
  ])('is rejected with %s', async (_what, payload) => {
    const { status, body } = await write('POST', '', payload)
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed' })
    expect(await collections()).toEqual([])
  })

  test('is rejected when it exceeds every limit', async () => {
    const products = Array(30_000).fill('a'.repeat(200))
    expect(await write('POST', '', { slug: 'new', title: 'New', products })).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    })
  })
})

describe('a saved collection', () => {
  beforeEach(openWithProducts)

  test('shows its products in the next response, with its facets and its count', async () => {
    const { body, headers } = await save({ slug: 'summer', title: 'Summer', products: ['silk', 'linen', 'draft'] })
    expect(Collection.parse(body)).toEqual({
      slug: 'summer',
      title: 'Summer',
      blurb: '',
      count: 2,
      image: { url: `${PUBLIC_URL}/media/placeholder.svg`, alt: 'Summer' },
    })
    expect(purgedBy(headers)).toEqual(expect.arrayContaining(['collections', 'collection:summer', 'product:silk']))
    expect(await slugs('collection=summer')).toEqual(['linen', 'silk'])
    expect((await list('collection=summer')).facets.sizes).toEqual(['S', 'M', 'XL'])
    expect(await collections()).toMatchObject([{ slug: 'summer', count: 2 }])
  })

  test('has exactly the products of the last save, in their order, in all lists', async () => {
    await save({ slug: 'summer', title: 'Summer', products: ['silk', 'linen'] })
    const { headers } = await save({ slug: 'summer', products: ['wool', 'linen', 'draft'] })
    expect(purgedBy(headers)).toEqual(expect.arrayContaining(['collection:summer', 'product:silk', 'product:wool']))
    expect(purgedBy(headers)).not.toContain('product:linen')
    expect(await products('summer')).toEqual(['wool', 'linen', 'draft'])
    expect(await slugs('collection=summer')).toEqual(['linen', 'wool'])
    await save({ slug: 'summer', products: [] })
    expect(await slugs('collection=summer')).toEqual([])
    expect(await collections()).toMatchObject([{ slug: 'summer', count: 0 }])
  })

  test('keeps fields that are left out, its products too, and loses those that are null', async () => {
    const image = { url: '/media/summer.jpg', alt: 'A beach' }
    await save({ slug: 'summer', title: 'Summer', blurb: 'Light.', image, products: ['wool'] })
    const { body } = await save({ slug: 'summer', title: 'High summer' })
    expect(body).toMatchObject({ title: 'High summer', blurb: 'Light.', count: 1 })
    expect(body.image).toEqual({ url: `${PUBLIC_URL}/media/summer.jpg`, alt: 'A beach' })
    expect((await save({ slug: 'summer', image: null })).body.image.alt).toBe('High summer')
    expect(await products('summer')).toEqual(['wool'])
  })

  test('accepts a product by a former slug, and each product once', async () => {
    await importCatalogue(catalog.app, suite, { products: [shirt('merino', { id: ID })] })
    await save({ slug: 'summer', title: 'Summer', products: ['silk', 'wool', 'linen', 'merino', 'silk'] })
    expect(await products('summer')).toEqual(['silk', 'merino', 'linen'])
    expect(await slugs('collection=summer')).toEqual(['linen', 'merino', 'silk'])
  })

  test('is rejected with every product that does not exist, and is unchanged', async () => {
    await save({ slug: 'summer', title: 'Summer', products: ['silk'] })
    const { status, body } = await write('POST', '', {
      slug: 'summer',
      title: 'Winter',
      products: ['wool', 'gone', 'linen', 'lost'],
    })
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed' })
    expect(body.detail.issues).toEqual([
      { path: 'products.1', message: 'there is no product gone' },
      { path: 'products.3', message: 'there is no product lost' },
    ])
    expect(await products('summer')).toEqual(['silk'])
    expect(await collections()).toMatchObject([{ title: 'Summer', count: 1 }])
    expect((await write('POST', '', { slug: 'new', title: 'New', products: ['gone'] })).status).toBe(422)
    expect(await collections()).toHaveLength(1)
  })

  test('is listed at its position, and a new one comes last', async () => {
    for (const slug of ['one', 'two', 'three']) await save({ slug, title: slug })
    await save({ slug: 'three', position: -5 })
    expect((await collections()).map((each) => each.slug)).toEqual(['three', 'one', 'two'])
  })

  test('comes last when it is new, after all given positions', async () => {
    await save({ slug: 'one', title: 'One', position: 100 })
    await save({ slug: 'two', title: 'Two' })
    const three = { slug: 'three', title: 'Three', products: [] }
    expect((await importCatalogue(catalog.app, suite, { collections: [three] })).statusCode).toBe(200)
    expect((await collections()).map((each) => each.slug)).toEqual(['one', 'two', 'three'])
  })

  test('is published and recorded with the added and removed products, and not when nothing changes', async () => {
    await untilPublished(suite)
    const published = (await suite.eventsOf(CategoryUpdated)).length
    await suite.sql('delete from catalog.audit_entries')
    await save({ slug: 'summer', title: 'Summer', products: ['silk', 'wool'] })
    await save({ slug: 'summer', products: ['wool', 'linen'] })
    await save({ slug: 'summer', products: ['linen', 'wool'] })
    const again = await save({ slug: 'summer', title: 'Summer', products: ['linen', 'wool'] })
    expect(again.headers['surrogate-purge']).toBeUndefined()
    await waitFor('the events', async () => (await suite.eventsOf(CategoryUpdated)).length >= published + 3)
    expect((await suite.eventsOf(CategoryUpdated)).slice(published)).toEqual([1, 2, 3].map(() => ({ slug: 'summer' })))
    const entries = await suite.sql('select action, subject_kind, before, after from catalog.audit_entries order by id')
    expect(entries).toMatchObject([
      { action: 'create', subject_kind: 'collection', before: null, after: { products: ['silk', 'wool'] } },
      { action: 'update', before: { products: ['silk'] }, after: { products: ['linen'] } },
      { action: 'update', before: { order: 'before' }, after: { order: 'after' } },
    ])
    expect(entries).toHaveLength(3)
  })
})

describe('a deleted collection', () => {
  beforeEach(openWithProducts)

  test('leaves its products in their other lists', async () => {
    await save({ slug: 'summer', title: 'Summer', products: ['silk', 'wool'] })
    await save({ slug: 'soft', title: 'Soft', products: ['silk'] })
    await untilPublished(suite)
    const published = (await suite.eventsOf(CategoryUpdated)).length
    const response = await write('DELETE', '/summer')
    expect(response).toMatchObject({ status: 200, body: { ok: true } })
    expect(purgedBy(response.headers)).toEqual(
      expect.arrayContaining(['collections', 'collection:summer', 'product:wool']),
    )
    expect(await collections()).toMatchObject([{ slug: 'soft', count: 1 }])
    expect(await slugs('collection=summer')).toEqual([])
    expect(await slugs('')).toEqual(['linen', 'silk', 'wool'])
    await waitFor('the event', async () => (await suite.eventsOf(CategoryUpdated)).length > published)
    const [entry] = await suite.sql(
      `select subject_id, before, after from catalog.audit_entries where action = 'delete' order by id desc limit 1`,
    )
    expect(entry).toMatchObject({ subject_id: 'summer', before: { products: ['silk', 'wool'] }, after: null })
  })

  test.each(['nowhere', 'Summer', '%00', '..%2Fsummer'])('must exist: %s', async (slug) => {
    const { status } = await write('DELETE', `/${slug}`)
    expect(status).toBe(slug === '%00' ? 422 : 404)
  })
})

describe('a merchant reads', () => {
  beforeAll(async () => {
    await openWithProducts()
    await save({ slug: 'summer', title: 'Summer', products: ['silk', 'draft'] })
    await save({ slug: 'soft', title: 'Soft' })
  })

  test('all collections, each with its products', async () => {
    const { status, body, headers } = await get('/admin/collections')
    expect(status).toBe(200)
    expect(headers['surrogate-key']).toBeUndefined()
    expect(body).toMatchObject({
      total: 2,
      items: [
        { slug: 'summer', image: null, count: 1, productCount: 2, products: ['silk', 'draft'] },
        { slug: 'soft', count: 0, productCount: 0, products: [] },
      ],
    })
  })

  test('all collections without their products, when only their number is needed', async () => {
    for (const products of ['0', 'false']) {
      const { status, body } = await get(`/admin/collections?products=${products}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        total: 2,
        items: [
          { slug: 'summer', title: 'Summer', image: null, count: 1, productCount: 2 },
          { slug: 'soft', count: 0, productCount: 0 },
        ],
      })
      for (const item of body.items) {
        expect(item).not.toHaveProperty('products')
        expect(item).not.toHaveProperty('etag')
      }
    }
  })

  test('one of them, if it exists', async () => {
    expect(await get('/admin/collections/summer')).toMatchObject({ status: 200, body: { products: ['silk', 'draft'] } })
    expect(await get('/admin/collections/winter')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

test('only an admin with the permission reads or writes collections', async () => {
  await openWithProducts()
  const calls = [
    ['GET', '', undefined],
    ['GET', '/summer', undefined],
    ['POST', '', { slug: 'summer', title: 'Summer' }],
    ['DELETE', '/summer', undefined],
  ] as const
  for (const [method, path, payload] of calls) {
    const send = async (headers: Record<string, string>) => {
      const url = `/admin/collections${path}`
      return (await catalog.app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode
    }
    const other = method === 'GET' ? 'catalog:write' : 'catalog:read'
    expect(await send({}), `${method} ${path}`).toBe(401)
    expect(await send(suite.headers.customer('cus_1')), `${method} ${path}`).toBe(403)
    expect(await send(suite.headers.admin([other])), `${method} ${path}`).toBe(403)
  }
  expect(await collections()).toEqual([])
})

describe('after any saves and deletions', () => {
  beforeEach(openWithProducts)

  const names = ['linen', 'wool', 'silk', 'draft']

  test('the lists, the counts and the order are those of the last saves', async () => {
    const step = record({
      slug: constantFrom('one', 'two'),
      products: option(array(constantFrom(...names), { maxLength: 6 }), { nil: undefined }),
      isDeletion: nat(4).map((chance) => chance === 0),
    })
    await assert(
      asyncProperty(array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const slug of ['one', 'two']) await write('DELETE', `/${slug}`)
        const model = new Map<string, string[]>()
        for (const { slug, products: given, isDeletion } of steps) {
          const response = isDeletion
            ? await write('DELETE', `/${slug}`)
            : await write('POST', '', { slug, title: slug, products: given })
          const known = model.get(slug)
          expect(response.status).toBe(isDeletion && !known ? 404 : 200)
          if (isDeletion) model.delete(slug)
          else model.set(slug, given ? [...new Set(given)] : (known ?? []))
        }
        const counts = (await collections()).map(({ slug, count }) => [slug, count] as const)
        const published = (slug: string) => (model.get(slug) ?? []).filter((name) => name !== 'draft').toSorted()
        expect(new Map(counts)).toEqual(new Map([...model.keys()].map((slug) => [slug, published(slug).length])))
        for (const [slug, expected] of model) {
          expect(await products(slug)).toEqual(expected)
          expect(await slugs(`collection=${slug}`)).toEqual(published(slug))
        }
      }),
      { numRuns: amount({ quick: 3, long: 12 }) },
    )
  })

  test('the result of concurrent saves is that of one of them', async () => {
    const wanted = [['linen', 'wool'], ['silk'], ['wool', 'draft', 'silk'], [], names]
    for (let round = 0; round < amount({ quick: 2, long: 5 }); round++) {
      const responses = await Promise.all([
        ...wanted.map((each) => write('POST', '', { slug: 'busy', title: 'Busy', products: each })),
        importCatalogue(catalog.app, suite, {
          products: [
            shirt('linen', { title: `Linen ${round}` }),
            shirt('silk', { sizes: ['XL'], title: `Silk ${round}` }),
          ],
          collections: [{ slug: 'busy', title: 'Busy', products: ['silk', 'linen'] }],
        }).then(({ statusCode }) => ({ status: statusCode })),
      ])
      expect(responses.map((response) => response.status)).toEqual(Array(6).fill(200))
      const stored = await products('busy')
      expect([...wanted, ['silk', 'linen']]).toContainEqual(stored)
      expect(await slugs('collection=busy')).toEqual(stored.filter((name) => name !== 'draft').toSorted())
    }
  })

  test('a product that is deleted while it is placed is in no collection', async () => {
    for (let round = 0; round < amount({ quick: 3, long: 5 }); round++) {
      await openShop({ products: [shirt('linen'), shirt('wool')] })
      const linen = (await list('')).items.find((item) => item.slug === 'linen')
      const [saved, deleted] = await Promise.all([
        write('POST', '', { slug: 'busy', title: 'Busy', products: ['linen', 'wool'] }),
        sendAsAdmin(catalog.app, suite, 'DELETE', `/admin/products/${linen?.id}`),
      ])
      expect(deleted.status, JSON.stringify(deleted.body)).toBe(200)
      expect([200, 422]).toContain(saved.status)
      expect(await slugs('')).toEqual(['wool'])
      const left = await Promise.all((await collections()).map(({ slug }) => products(slug)))
      expect(left).toEqual(saved.status === 200 ? [['wool']] : [])
      expect(await slugs('collection=busy')).toEqual(left.flat())
    }
  })
})
