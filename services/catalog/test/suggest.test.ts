import { SearchSuggestions } from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, shirt, startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

const CATEGORIES = [
  { slug: 'shirts', name: 'Linen and cotton shirts' },
  { slug: 'coats', name: 'Überwürfe' },
  { slug: 'linen', name: 'Linen' },
  { slug: 'empty', name: 'Linen for later' },
]

const PRODUCTS = [
  shirt('a', { title: 'Linen shirt', categories: ['shirts', 'linen'] }),
  shirt('b', { title: 'Linen shirt long', categories: ['shirts'] }),
  shirt('c', { title: 'Linen dress' }),
  shirt('d', { title: 'Café apron', categories: ['coats'] }),
  shirt('e', { title: 'Secret linen cloak', published: false }),
]

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  const response = await importCatalogue(catalog.app, suite, { categories: CATEGORIES, products: PRODUCTS })
  expect(response.statusCode).toBe(200)
})

afterAll(() => suite.stop())

async function suggest(query: Record<string, string>): Promise<SearchSuggestions> {
  const response = await catalog.app.inject({ url: '/search/suggest', query })
  expect(response.statusCode).toBe(200)
  return SearchSuggestions.parse(response.json())
}

const titles = ({ products }: SearchSuggestions) => products.map(({ title }) => title)

test('the last word is completed from titles, alone and with the next word, the most frequent first', async () => {
  expect((await suggest({ q: 'lin' })).queries).toEqual(['linen', 'linen shirt', 'linen dress'])
  expect((await suggest({ q: 'linen sh' })).queries).toEqual(['linen shirt', 'linen shirt long'])
})

test('each text that is suggested finds products', async () => {
  const { queries } = await suggest({ q: 'li' })
  expect(queries.length).toBeGreaterThan(0)
  for (const q of queries) {
    const found = await catalog.app.inject({ url: '/products', query: { q } })
    expect(found.json()).toMatchObject({ total: expect.toSatisfy((total: number) => total > 0) })
  }
})

test('a misspelled word is completed with the word that was meant', async () => {
  const { queries, products } = await suggest({ q: 'linnen' })
  expect(queries).toContain('linen shirt')
  expect(products.length).toBe(3)
})

test('products are those of the search, in its order, with one image', async () => {
  const found = await suggest({ q: 'linen' })
  const list = await catalog.app.inject({ url: '/products', query: { q: 'linen' } })
  const listed = list.json<{ items: { title: string }[] }>().items.map(({ title }) => title)
  expect(titles(found)).toEqual(listed)
  expect(found.products.map(({ images }) => images.length)).toEqual([1, 1, 1])
})

test('unpublished products are not suggested', async () => {
  expect(await suggest({ q: 'secret' })).toEqual({ queries: [], categories: [], products: [] })
})

test('categories whose names have the words are suggested, with the most products first, unless they are empty', async () => {
  expect((await suggest({ q: 'lin' })).categories).toEqual([
    { slug: 'shirts', name: 'Linen and cotton shirts', count: 2 },
    { slug: 'linen', name: 'Linen', count: 1 },
  ])
  expect((await suggest({ q: 'cotton lin' })).categories.map(({ slug }) => slug)).toEqual(['shirts'])
  expect((await suggest({ q: 'uberw' })).categories.map(({ slug }) => slug)).toEqual(['coats'])
})

test('as many products and texts as requested are suggested', async () => {
  const { queries, products } = await suggest({ q: 'lin', limit: '2' })
  expect([queries.length, products.length]).toEqual([2, 2])
})

test.each(['', '  ', '!?'])('nothing is suggested for %j', async (q) => {
  expect(await suggest({ q })).toEqual({ queries: [], categories: [], products: [] })
})

test('a cache drops suggestions when a product or a category is saved', async () => {
  const { headers } = await catalog.app.inject({ url: '/search/suggest', query: { q: 'linen' } })
  expect(String(headers['surrogate-key']).split(' ')).toEqual(
    expect.arrayContaining(['search', 'listing', 'categories', 'product:a']),
  )
  expect(headers['cache-control']).toContain('public')
})
