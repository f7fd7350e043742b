import { AdminProduct, ProductList } from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { RunningCatalog } from '../src/start.ts'
import { fill, RejectedBody, shirt, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(() => suite.stop())

const save = (products: object[], mode = 'merge') => fill(catalog.app, suite, { mode, products })

const get = (query: Record<string, string>) => catalog.app.inject({ url: '/products', query })

async function list(query: Record<string, string>): Promise<ProductList & { slugs: string[] }> {
  const response = await get(query)
  expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
  const found = ProductList.parse(response.json())
  return { ...found, slugs: found.items.map(({ slug }) => slug) }
}

const keysOf = async (slugs: string) => String((await get({ slugs })).headers['surrogate-key']).split(' ')

async function patch(slug: string, payload: object): Promise<string[]> {
  const found = await catalog.app.inject({ url: `/admin/products?q=${slug}`, headers: suite.headers.admin() })
  const { items } = z.object({ items: z.array(AdminProduct) }).parse(found.json())
  const id = items.find((item) => item.slug === slug)?.id
  const url = `/admin/products/${id}`
  const response = await catalog.app.inject({ method: 'PATCH', url, headers: suite.headers.admin(), payload })
  expect(response.statusCode, response.payload).toBe(200)
  return String(response.headers['surrogate-purge'] ?? '').split(' ')
}

const issuesOf = (response: { json: () => unknown }) =>
  RejectedBody.extend({ code: z.literal('validation_failed') }).parse(response.json()).detail.issues

describe('a list of products by their slugs', () => {
  beforeEach(() =>
    save(
      [
        ...['linen', 'wool', 'silk', 'felt'].map((slug) => shirt(slug, { id: `prod_${slug}` })),
        shirt('draft', { published: false }),
      ],
      'replace',
    ),
  )

  test('has them in the given order, each once, without those that are unknown or not published', async () => {
    const found = await list({ slugs: 'silk,nowhere,linen, draft ,,silk,wool', per_page: '48' })
    expect(found).toMatchObject({ slugs: ['silk', 'linen', 'wool'], total: 3, page: 1, perPage: 48 })
    expect(found.facets.sizes).toEqual(['S', 'M'])
    expect(found).not.toHaveProperty('nextCursor')
    for (const nothing of ['', ' ', ',', 'nowhere', 'NOT A SLUG', '%', "'; drop table products; --"]) {
      expect(await list({ slugs: nothing }), nothing).toMatchObject({ slugs: [], total: 0 })
    }
  })

  test('has pages', async () => {
    const slugs = 'wool,nowhere,silk,felt,linen'
    expect(await list({ slugs, per_page: '3' })).toMatchObject({
      slugs: ['wool', 'silk', 'felt'],
      total: 4,
      perPage: 3,
    })
    expect(await list({ slugs, per_page: '3', page: '2' })).toMatchObject({ slugs: ['linen'], total: 4, page: 2 })
    expect(await list({ slugs, per_page: '3', page: '3' })).toMatchObject({ slugs: [], total: 4 })
    expect(await list({ slugs, per_page: '1000' })).toMatchObject({ perPage: 48 })
  })

  test('finds a product by a former slug, once', async () => {
    await patch('linen', { slug: 'linen-shirt' })
    expect(await list({ slugs: 'wool,linen,linen-shirt' })).toMatchObject({ slugs: ['wool', 'linen-shirt'], total: 2 })
    expect((await keysOf('linen')).toSorted()).toEqual(['listing', 'product:linen', 'product:linen-shirt'])
  })

  test('is cached until one of its products is changed, added or deleted', async () => {
    const response = await get({ slugs: 'linen,later,draft' })
    expect(response.headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600')
    expect(response.headers.etag).toMatch(/^"/)
    const keys = String(response.headers['surrogate-key']).split(' ')
    expect(keys.toSorted()).toEqual(['listing', 'product:draft', 'product:later', 'product:linen'])
    const isPurgedBy = (purged: string[]) => purged.some((key) => keys.includes(key))
    expect(isPurgedBy(await patch('linen', { subtitle: 'Changed' }))).toBe(true)
    expect(isPurgedBy(await patch('draft', { published: true }))).toBe(true)
    expect(isPurgedBy(await patch('silk', { slug: 'later' }))).toBe(true)
    expect(isPurgedBy(await patch('wool', { subtitle: 'Not in it' }))).toBe(false)
    expect(await list({ slugs: 'linen,later,draft' })).toMatchObject({ slugs: ['linen', 'later', 'draft'] })
  })

  test('names many products as one key, and has the first two hundred of a longer list', async () => {
    const slugs = Array.from({ length: 199 }, (_, index) => `${'x'.repeat(190)}-${index}`)
    expect(await keysOf(slugs.join(','))).toEqual(['listing', 'products'])
    expect(await list({ slugs: [...slugs, 'linen', 'wool'].join(','), per_page: '48' })).toMatchObject({
      slugs: ['linen'],
      total: 1,
    })
    expect((await get({ slugs: 'x'.repeat(50_000) })).statusCode).toBe(422)
  })

  test('is rejected together with parameters that it would ignore', async () => {
    const message = 'must not be combined with slugs'
    for (const [name, value] of Object.entries({
      category: 'shirts',
      collection: 'summer',
      q: 'linen',
      sizes: 'M',
      colors: 'Red',
      tags: 'x',
      min_price: '1',
      max_price: '1',
      in_stock: 'true',
      sort: 'name',
      cursor: 'abc',
    })) {
      expect(issuesOf(await get({ slugs: 'linen', [name]: value })), name).toEqual([{ path: name, message }])
    }
    const harmless = {
      category: '',
      collection: '',
      q: '',
      sizes: '',
      colors: '',
      tags: '',
      in_stock: '',
      sort: 'featured',
    }
    expect(await list({ slugs: 'linen', ...harmless, in_stock: '0' })).toMatchObject({ slugs: ['linen'] })
  })
})

describe('a list by name', () => {
  const TITLES = [
    'zebra',
    'Éclair',
    'eagle',
    'Echo',
    'ångström',
    'Apple',
    'apple',
    'Zebra 10',
    'ß',
    '衬衫',
    '2 shirts',
    'Eagle',
  ]
  const IN_ORDER = [
    '2 shirts',
    'ångström',
    'apple',
    'Apple',
    'eagle',
    'Eagle',
    'Echo',
    'Éclair',
    'ß',
    'zebra',
    'Zebra 10',
    '衬衫',
  ]
  const titlesOf = ({ items }: ProductList) => items.map(({ title }) => title)

  beforeEach(() =>
    save(
      TITLES.map((title, index) => ({ id: `prod_${index}`, slug: `p-${index}`, title, price: usd(1) })),
      'replace',
    ),
  )

  test('is sorted as in a dictionary, ignoring accents and case', async () => {
    expect(titlesOf(await list({ sort: 'name', per_page: '48' }))).toEqual(IN_ORDER)
  })

  test('follows a changed title, and purges the lists of the product', async () => {
    expect(titlesOf(await list({ sort: 'name' }))[0]).toBe('2 shirts')
    expect(await patch('p-9', { title: '1 shirt' })).toContain('listing')
    expect(titlesOf(await list({ sort: 'name' }))[0]).toBe('1 shirt')
    await patch('p-9', { title: 'Eagle' })
    const eagles = (await list({ sort: 'name' })).items.filter(({ title }) => title === 'Eagle')
    expect(eagles.map(({ slug }) => slug)).toEqual(['p-11', 'p-9'])
  })

  test('continues after a cursor, whatever was added and deleted meanwhile, however long the titles are', async () => {
    const long = '\u{1F9E5}"\\'.repeat(75)
    await save([1, 2, 3].map((index) => ({ slug: `long-${index}`, title: long, price: usd(1) })))
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page === 0 || cursor !== ''; page++) {
      const found = await list({ sort: 'name', per_page: '2', ...(cursor !== '' && { cursor }) })
      seen.push(...found.slugs)
      cursor = found.nextCursor ?? ''
      if (page === 2) await patch(seen[0] ?? '', { title: 'zzz' })
    }
    // The renamed one occurs again at its new position, and no other.
    expect(new Set(seen).size).toBe(15)
    expect(seen).toHaveLength(16)
    expect(seen.at(-2)).toBe(seen[0])
  })

  test('accepts no cursor of another list, and none that was made up', async () => {
    const { nextCursor = '' } = await list({ sort: 'name', per_page: '1' })
    const forged = (key: unknown[]) => {
      const [sort, filters, page, tier] = z
        .array(z.unknown())
        .parse(JSON.parse(Buffer.from(nextCursor, 'base64url').toString()))
      return Buffer.from(JSON.stringify([sort, filters, page, tier, key])).toString('base64url')
    }
    expect((await get({ sort: 'newest', cursor: nextCursor })).statusCode).toBe(422)
    for (const key of [[], ['x'], [1, 'x'], ['x', 1], ['x', 'y', 'z'], ['x'.repeat(301), 'y'], ['\0', 'x']]) {
      expect((await get({ sort: 'name', cursor: forged(key) })).statusCode, JSON.stringify(key)).toBe(422)
    }
    expect((await get({ sort: 'name', cursor: forged(['eagle', '']) })).statusCode).toBe(200)
  })
})
