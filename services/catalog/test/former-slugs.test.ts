import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listOf, Product, ProductList, Review } from '@storefront/contracts'
import { createSuite, expectLedgerBalanced, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { getAsShopper, importCatalogue, shirt, startTestCatalog } from './catalog.ts'

const ID = 'prod_linen'

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

const save = (body: Record<string, unknown>) => importCatalogue(catalog.app, suite, body)
/** The product under test, whatever its slug. */
const linen = (slug: string, options: Record<string, unknown> = {}) =>
  shirt(slug, { id: ID, title: 'Linen shirt', categories: ['shirts'], ...options })

async function rename(slug: string, options: Record<string, unknown> = {}): Promise<void> {
  const response = await save({ products: [linen(slug, options)] })
  expect(response.json()).toMatchObject({ ok: true, counts: { products: { created: 0, updated: 1 } } })
}

const get = (url: string) => getAsShopper(catalog.app, url)

const read = async (url: string): Promise<unknown> => {
  const { status, body } = await get(url)
  expect(status, url).toBe(200)
  return body
}
const page = async (slug: string) => Product.parse(await read(`/products/${slug}`))
const slugs = async (query = '') => ProductList.parse(await read(`/products?${query}`)).items.map((item) => item.slug)
const related = async (slug: string) =>
  listOf(Product)
    .extend({ strategy: z.string() })
    .parse(await read(`/products/${slug}/related`))
    .items.map((item) => item.slug)
const authors = async (slug: string) =>
  listOf(Review)
    .parse(await read(`/products/${slug}/reviews`))
    .items.map((item) => item.author)

beforeEach(async () => {
  await save({ mode: 'replace' })
  const response = await save({
    mode: 'replace',
    categories: [{ slug: 'shirts', name: 'Shirts' }],
    collections: [{ slug: 'summer', title: 'Summer', products: ['linen', 'wool'] }],
    products: [linen('linen'), shirt('wool', { title: 'Wool shirt', categories: ['shirts'] })],
    reviews: [
      { product: 'linen', author: 'Ada', rating: 5 },
      { product: 'wool', author: 'Bo', rating: 3 },
    ],
  })
  expect(response.json()).toMatchObject({ ok: true })
})

describe('a product with a new slug', () => {
  test('is found under both, with the new one in the body, its stock, its rating and its variants', async () => {
    const before = await page('linen')
    await rename('linen-shirt')
    const after = await page('linen-shirt')
    expect(after).toMatchObject({ id: ID, slug: 'linen-shirt', rating: { average: 5, count: 1 } })
    expect(after.variants.map((each) => [each.id, each.inventory])).toEqual(
      before.variants.map((each) => [each.id, each.inventory]),
    )
    expect(await page('linen')).toEqual(after)
    // Cached under its current slug; otherwise the next change would not purge this response.
    expect((await get('/products/linen')).headers['surrogate-key']).toContain('product:linen-shirt')
  })

  test('keeps its reviews and related products under both', async () => {
    await rename('linen-shirt')
    for (const slug of ['linen', 'linen-shirt']) {
      expect(await authors(slug), slug).toEqual(['Ada'])
      expect(await related(slug), slug).toEqual(['wool'])
    }
    expect(await related('wool')).toEqual(['linen-shirt'])
    expect((await save({ reviews: [{ product: 'linen-shirt', author: 'Cy', rating: 1 }] })).statusCode).toBe(200)
    expect((await authors('linen')).toSorted()).toEqual(['Ada', 'Cy'])
  })

  test('is in lists and search results only under the new one', async () => {
    await rename('linen-shirt')
    const both = ['linen-shirt', 'wool']
    for (const query of ['', 'category=shirts', 'collection=summer', 'q=shirt', 'sort=newest', 'sizes=S']) {
      expect((await slugs(query)).toSorted(), query).toEqual(both)
    }
    expect(await slugs('q=linen')).toEqual(['linen-shirt'])
  })

  test('can have many former ones, and is hidden under all of them when it is not published', async () => {
    await rename('linen-shirt')
    await rename('linen-shirt-2')
    await rename('summer-shirt')
    const addresses = ['linen', 'linen-shirt', 'linen-shirt-2', 'summer-shirt']
    for (const slug of addresses) expect((await page(slug)).slug, slug).toBe('summer-shirt')
    await rename('summer-shirt', { published: false })
    for (const slug of addresses) {
      for (const url of [`/products/${slug}`, `/products/${slug}/related`, `/products/${slug}/reviews`]) {
        expect((await get(url)).status, url).toBe(404)
      }
    }
  })

  test('can be renamed back, and is then found under the slug in between', async () => {
    await rename('linen-shirt')
    await rename('linen')
    for (const slug of ['linen', 'linen-shirt']) {
      expect(await page(slug), slug).toMatchObject({ id: ID, slug: 'linen' })
      expect(await authors(slug), slug).toEqual(['Ada'])
    }
    expect((await slugs()).toSorted()).toEqual(['linen', 'wool'])
  })

  test('is deleted with all its slugs', async () => {
    await rename('linen-shirt')
    await save({ mode: 'replace', products: [shirt('silk')] })
    for (const slug of ['linen', 'linen-shirt']) expect((await get(`/products/${slug}`)).status, slug).toBe(404)
  })
})

describe('a former slug', () => {
  const giveToAnother = async () => {
    await rename('linen-shirt')
    const response = await save({ products: [shirt('linen', { title: 'Another shirt', categories: ['shirts'] })] })
    expect(response.json()).toMatchObject({ ok: true, counts: { products: { created: 1 } } })
  }

  test('can be given to another product, which takes precedence', async () => {
    await giveToAnother()
    expect(await page('linen')).toMatchObject({ slug: 'linen', title: 'Another shirt', rating: { count: 0 } })
    expect((await page('linen')).id).not.toBe(ID)
    expect(await page('linen-shirt')).toMatchObject({ id: ID, slug: 'linen-shirt' })
    expect(await authors('linen')).toEqual([])
    expect(await authors('linen-shirt')).toEqual(['Ada'])
    expect((await related('linen')).toSorted()).toEqual(['linen-shirt', 'wool'])
    expect((await slugs()).toSorted()).toEqual(['linen', 'linen-shirt', 'wool'])
  })

  test('is purged with its former owner when an import gives it to another product', async () => {
    await rename('linen-shirt')
    expect((await get('/products/linen')).headers['surrogate-key']).toBe('product:linen-shirt')
    const response = await save({ products: [shirt('linen', { title: 'Another shirt' })] })
    expect(String(response.headers['surrogate-purge']).split(' ')).toContain('product:linen-shirt')
  })

  test('can be given to an existing product, by renaming it', async () => {
    const { id } = await page('wool')
    await rename('linen-shirt')
    expect((await save({ products: [shirt('linen', { id, title: 'Wool shirt' })] })).statusCode).toBe(200)
    for (const slug of ['linen', 'wool']) expect(await page(slug), slug).toMatchObject({ id, slug: 'linen' })
    expect(await page('linen-shirt')).toMatchObject({ id: ID })
  })

  test('is rejected for its former product, as long as another has it', async () => {
    await giveToAnother()
    const response = await save({ products: [linen('linen')] })
    expect(response.statusCode).toBe(422)
    expect(response.json()).toMatchObject({ code: 'validation_failed' })
    expect(await page('linen')).toMatchObject({ title: 'Another shirt' })
    expect(await page('linen-shirt')).toMatchObject({ id: ID, slug: 'linen-shirt' })
  })

  test('belongs to the product that a replacing import gives it to, when its owner is deleted', async () => {
    await giveToAnother()
    const variants = [{ sku: 'LINEN-SHIRT-S', options: { Size: 'S' } }]
    const response = await save({ mode: 'replace', products: [linen('linen', { categories: [], variants })] })
    expect(response.json()).toMatchObject({ ok: true, counts: { products: { updated: 1, deleted: 2 } } })
    expect(await slugs()).toEqual(['linen'])
    for (const slug of ['linen', 'linen-shirt']) expect(await page(slug), slug).toMatchObject({ id: ID, slug: 'linen' })
  })

  test('leaves its SKUs to the product that a replacing import gives them to', async () => {
    await giveToAnother()
    const variants = [{ sku: 'LINEN-S', options: { Size: 'S' } }]
    const response = await save({ mode: 'replace', products: [linen('linen-shirt', { categories: [], variants })] })
    expect(response.json()).toMatchObject({ ok: true, counts: { products: { updated: 1, deleted: 2 } } })
    expect((await page('linen-shirt')).variants.map((each) => each.sku)).toEqual(['LINEN-S'])
  })
})
