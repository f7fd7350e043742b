import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { Product, ProductList, ReadProducts } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, shirt, startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog
let identity: Messaging

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  identity = await suite.openMessaging('identity')
  const products = [
    shirt('linen', { id: 'prod_linen' }),
    shirt('wool', { id: 'prod_wool', inventory: 0 }),
    shirt('draft', { id: 'prod_draft', published: false }),
  ]
  expect((await importCatalogue(catalog.app, suite, { products })).statusCode).toBe(200)
  expect((await importCatalogue(catalog.app, suite, { products: renamed() })).statusCode).toBe(200)
  await waitFor('catalog on NATS', () => read({ ids: ['prod_linen'] }))
})

afterAll(() => suite.stop())

const renamed = () => [shirt('merino', { id: 'prod_wool', variants: [{ sku: 'MERINO', options: { Size: 'S' } }] })]

const read = (names: { ids: string[] } | { slugs: string[] }) => sendRequest(identity, ReadProducts, names)
const slugsOf = async (names: { ids: string[] } | { slugs: string[] }) => {
  const { products, left } = await read(names)
  expect(left).toEqual([])
  return products.map((product) => product.slug).toSorted()
}

describe('products for another service', () => {
  test('are the list items, found by id or by current or former slug', async () => {
    const listed = ProductList.parse((await catalog.app.inject({ url: '/products' })).json()).items
    const { products } = await read({ ids: ['prod_wool'] })
    expect(products).toEqual(listed.filter((product) => product.id === 'prod_wool'))
    expect(await slugsOf({ ids: ['prod_wool', 'prod_linen'] })).toEqual(['linen', 'merino'])
    expect(await slugsOf({ slugs: ['linen', 'merino'] })).toEqual(['linen', 'merino'])
    expect(await slugsOf({ slugs: ['wool'] })).toEqual(['merino'])
    expect(await slugsOf({ slugs: ['wool', 'merino', 'wool'] })).toEqual(['merino'])
  })

  test('are only published ones, and unknown names cause no error', async () => {
    expect(await slugsOf({ ids: ['prod_draft', 'prod_nothing', 'linen', '__proto__'] })).toEqual([])
    expect(await slugsOf({ slugs: ['draft', 'nothing', 'prod_linen', "' or 1=1 --"] })).toEqual([])
    expect(await slugsOf({ slugs: ['draft', 'linen'] })).toEqual(['linen'])
    const withheld = { left: [], withheld: ['prod_draft'] }
    expect(await read({ ids: ['prod_draft', 'prod_nothing', 'prod_linen'] })).toMatchObject(withheld)
    expect(await read({ slugs: ['draft', 'nothing', 'linen', 'wool'] })).toMatchObject(withheld)
  })

  test('come in several replies when they are too large for one, and each of them once', async () => {
    const sizes = Array.from({ length: 200 }, (_, index) => `S${index}`)
    const large = Array.from({ length: 12 }, (_, product) =>
      shirt(`large-${product}`, { id: `prod_large_${product}`, sizes, description: 'x'.repeat(20_000) }),
    )
    expect((await importCatalogue(catalog.app, suite, { products: large })).statusCode).toBe(200)
    const ids = large.map((_, product) => `prod_large_${product}`)
    const found: string[] = []
    let responses = 0
    for (let open = ids; open.length > 0; responses++) {
      const response = await read({ ids: open })
      expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThan(500_000)
      expect(response.withheld).toEqual([])
      for (const product of response.products) Product.parse(product)
      found.push(...response.products.map((product) => product.id))
      open = response.left
    }
    expect(found.toSorted()).toEqual(ids.toSorted())
    expect(responses).toBeGreaterThan(1)
    const bySlug = await read({ slugs: large.map((product) => product.slug) })
    expect(bySlug.left.length).toBeGreaterThan(0)
    expect(bySlug.left.every((slug) => slug.startsWith('large-'))).toBe(true)
  })
})
