import { assert, asyncProperty, constantFrom, option, record, uniqueArray } from 'fast-check'
import { AdminProduct, type Variant } from '@storefront/contracts'
import { amount, createSuite, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(() => suite.stop())

const product = (slug: string, variants: object[] = []) => ({
  slug,
  title: slug.slice(0, 100),
  price: usd(100),
  variants,
})

async function save(products: object[], mode = 'merge') {
  const response = await importCatalogue(catalog.app, suite, { mode, products })
  expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
  return response.json()
}

const create = (payload: object) =>
  catalog.app.inject({ method: 'POST', url: '/admin/products', headers: suite.headers.admin(), payload })

async function skusOf(slug: string): Promise<string[]> {
  const response = await catalog.app.inject({ url: `/products/${slug}` })
  expect(response.statusCode, slug).toBe(200)
  return response.json<{ variants: Variant[] }>().variants.map(({ sku }) => sku)
}

const LONG = 'long-name-'.repeat(10)

test('products whose slugs begin with the same hundred characters get different SKUs in one import', async () => {
  const products = ['one', 'two', 'three'].map((end) => product(`${LONG}${end}`))
  await save(products)
  const skus = (await Promise.all(products.map(({ slug }) => skusOf(slug)))).flat()
  expect(new Set(skus).size).toBe(3)
  expect(Math.max(...skus.map((sku) => sku.length))).toBeLessThanOrEqual(100)
  expect(await save(products)).toMatchObject({ counts: { products: { unchanged: 3, updated: 0 } } })
  await save([product(`${LONG}four`, [{ options: { Size: 'S' } }, { options: { Size: 'M' } }])])
  expect((await create(product(`${LONG}five`))).statusCode).toBe(200)
  const later = [...(await skusOf(`${LONG}four`)), ...(await skusOf(`${LONG}five`))]
  expect(new Set([...skus, ...later]).size).toBe(6)
})

test('a generated SKU differs from one that another product of the file was given, before it or after it', async () => {
  await save([
    product('a-b-1'),
    product('other', [{ sku: 'A-B-1' }, { sku: 'B-C-1', options: { Size: 'S' } }]),
    product('b-c-1'),
  ])
  expect(await skusOf('other')).toEqual(['A-B-1', 'B-C-1'])
  expect(await skusOf('a-b-1')).toEqual([expect.stringMatching(/^A-B-1-\w+$/)])
  expect(await skusOf('b-c-1')).toEqual([expect.stringMatching(/^B-C-1-\w+$/)])
})

test('a generated SKU differs from one that is five hundred rows later', async () => {
  const between = Array.from({ length: 500 }, (_, index) => product(`between-${index}`, [{ sku: `between-${index}` }]))
  await save([product('early-1'), ...between, product('late', [{ sku: 'EARLY-1' }])])
  expect(await skusOf('late')).toEqual(['EARLY-1'])
  const made = await skusOf('early-1')
  expect(made).toHaveLength(1)
  expect(made).not.toContain('EARLY-1')
})

test('a generated SKU differs from those of the shop, in an import and in a single write', async () => {
  await save([product('keeper', [{ sku: 'NEW-1' }, { sku: 'NEW-2', options: { Size: 'S' } }])])
  await save([product('new-1')])
  expect((await create(product('new-2'))).statusCode).toBe(200)
  for (const slug of ['new-1', 'new-2']) {
    expect(await skusOf(slug)).toEqual([expect.stringMatching(new RegExp(`^${slug.toUpperCase()}-\\w+$`))])
  }
  await save([product('fresh-1'), product('fresh', [{ sku: 'FRESH-1' }])], 'replace')
  expect(await skusOf('fresh')).toEqual(['FRESH-1'])
})

test('a generated SKU differs from those that the other variants of its product have or had', async () => {
  await save([product('own', [{ sku: 'OWN-M', options: { Size: 'S' } }])])
  await save([product('own', [{ options: { Size: 'M' } }, { options: { Size: 'S' } }])])
  expect(await skusOf('own')).toEqual(['OWN-M-2', 'OWN-M'])
  const { id, variants } = AdminProduct.parse(
    (await create({ ...product('moved'), variants: [{ options: { Size: 'S' } }] })).json(),
  )
  const changed = await catalog.app.inject({
    method: 'PATCH',
    url: `/admin/products/${id}`,
    headers: suite.headers.admin(),
    payload: {
      options: [{ name: 'Size', values: ['S', 's'] }],
      variants: [{ options: { Size: 's' } }, { id: variants[0]?.id, sku: 'ELSEWHERE' }],
    },
  })
  expect(changed.statusCode, changed.payload).toBe(200)
  expect(await skusOf('moved')).toEqual(['MOVED-S-2', 'ELSEWHERE'])
})

test('writers that generate the same SKU at once get different ones', async () => {
  const slugs = Array.from({ length: 6 }, (_, index) => `${LONG}race-${index}`)
  const responses = await Promise.all(slugs.map((slug) => create(product(slug))))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(slugs.map(() => 200))
  expect(new Set((await Promise.all(slugs.map(skusOf))).flat()).size).toBe(6)
})

test('no two variants share a SKU, whatever a file contains, and given ones are kept', async () => {
  const size = constantFrom('S', 's', 'S/M', 's m', '大', '小')
  const sku = constantFrom('A', 'A-S', 'A-B', 'A-B-S', 'A-2', 'A-B-2', 'A-S-2', 'b')
  const variant = record({ size, sku: option(sku, { nil: undefined }) })
  const row = record({
    slug: constantFrom('a', 'a-b', 'a-s', 'a-b-s', 'a-2'),
    variants: uniqueArray(variant, { maxLength: 4, selector: (each) => each.size }),
  })
  const file = uniqueArray(row, { minLength: 1, maxLength: 5, selector: ({ slug }) => slug })
  const someSku: unknown = expect.any(String)
  let runs = 0
  await assert(
    asyncProperty(file, async (rows) => {
      const run = `run-${++runs}`
      const given = new Set<string>()
      const products = rows.map(({ slug, variants }) => ({
        slug: `${run}-${slug}`,
        skus: variants.map(({ sku: wish }) => {
          const isFree = wish !== undefined && !given.has(wish)
          if (isFree) given.add(wish)
          return isFree ? `${run}-${wish}`.toUpperCase() : undefined
        }),
        sizes: variants.map((each) => each.size),
      }))
      await save(
        products.map(({ slug, skus, sizes }) =>
          product(
            slug,
            sizes.map((wanted, index) => ({ options: { Size: wanted }, sku: skus[index] })),
          ),
        ),
      )
      const all: string[] = []
      for (const { slug, skus } of products) {
        const made = await skusOf(slug)
        expect(made.slice(0, skus.length)).toEqual(skus.map((wanted) => wanted ?? someSku))
        all.push(...made)
      }
      expect(new Set(all).size).toBe(all.length)
    }),
    { numRuns: amount({ quick: 8, long: 60 }) },
  )
})
