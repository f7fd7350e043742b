import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { CheckRestrictions, Product, ProductList, ReadDocumentSettings, ReadProducts } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { fill, importCatalogue, shirt, startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog
let cart: Messaging
let identity: Messaging
let orders: Messaging

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  cart = await suite.openMessaging('cart')
  identity = await suite.openMessaging('identity')
  orders = await suite.openMessaging('orders')
  const categories = [
    { slug: 'rain-coats', name: 'Rain coats' },
    { slug: 'hats', name: 'Hats' },
  ]
  const products = [
    shirt('linen', { id: 'prod_linen' }),
    shirt('wool', { id: 'prod_wool', inventory: 0 }),
    shirt('draft', { id: 'prod_draft', published: false }),
  ]
  await fill(catalog.app, suite, { categories, products })
  await fill(catalog.app, suite, { products: renamed() })
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

const check = ({ categories = [], products = [] }: { categories?: string[]; products?: string[] }) =>
  sendRequest(cart, CheckRestrictions, { categories, products })

test('products are identified by their ids and their current slugs, drafts included, and categories by their slugs', async () => {
  const products = ['linen', 'prod_linen', 'draft', 'prod_draft', 'merino', 'prod_wool']
  expect(await check({ categories: ['rain-coats', 'hats'], products })).toEqual({ unknown: [], total: 0 })
})

test('missing records are named, with the name that was probably meant', async () => {
  const products = ['linen', 'wool', 'LINEN', 'silk', "'; drop table products; --"]
  expect(await check({ categories: ['raincoats', 'Hats', 'socks', 'hats'], products })).toEqual({
    total: 7,
    unknown: [
      { field: 'categories', name: 'raincoats', suggestion: 'rain-coats' },
      { field: 'categories', name: 'Hats', suggestion: 'hats' },
      { field: 'categories', name: 'socks' },
      { field: 'products', name: 'wool', suggestion: 'merino' },
      { field: 'products', name: 'LINEN', suggestion: 'linen' },
      { field: 'products', name: 'silk' },
      { field: 'products', name: "'; drop table products; --" },
    ],
  })
})

test('of very many unknown names the first hundred are named', async () => {
  const products = Array.from({ length: 5000 }, (_, index) => `unknown-${index}`)
  const { unknown, total } = await check({ products })
  expect([unknown.length, total, unknown[0]?.name]).toEqual([100, 5000, 'unknown-0'])
})

const readSettings = () => sendRequest(orders, ReadDocumentSettings, {})
const save = async (payload: object) => {
  const headers = suite.headers.admin()
  const { statusCode, body } = await catalog.app.inject({ method: 'PATCH', url: '/admin/storefront', headers, payload })
  expect(statusCode, body).toBe(200)
}

test('the documents of orders get the name and the address of the shop, its time zone and its methods of delivery', async () => {
  const address = { name: 'Linen & Co Ltd', line1: '1 Mill Lane', city: 'Belfast', country: 'GB' }
  await save({
    store: { name: 'Linen & Co', address, email: 'hello@linen.example' },
    commerce: {
      timeZone: 'Europe/London',
      shippingMethods: [
        { id: 'standard', label: 'Royal Mail', price: 500 },
        { id: 'express', price: 900 },
      ],
    },
  })
  expect(await readSettings()).toEqual({
    storeName: 'Linen & Co',
    storeAddress: address,
    storeEmail: 'hello@linen.example',
    timeZone: 'Europe/London',
    shippingMethods: [
      { id: 'standard', label: 'Royal Mail' },
      { id: 'express', label: 'express' },
    ],
  })
})

test('a shop that has set none of it gets documents without', async () => {
  await save({ store: { name: null, address: null, email: '' }, commerce: { timeZone: null, shippingMethods: null } })
  expect(await readSettings()).toEqual({ storeName: '', timeZone: 'UTC', shippingMethods: [] })
})
