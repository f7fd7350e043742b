import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { CheckRestrictions } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, shirt, startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog
let cart: Messaging

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  cart = await suite.openMessaging('cart')
  const categories = [
    { slug: 'rain-coats', name: 'Rain coats' },
    { slug: 'hats', name: 'Hats' },
  ]
  const products = [shirt('linen', { id: 'prod_linen' }), shirt('draft', { id: 'prod_draft', published: false })]
  const wool = (slug: string) => ({ ...shirt(slug, { id: 'prod_wool' }), variants: shirt('wool').variants })
  for (const body of [{ categories, products: [...products, wool('wool')] }, { products: [wool('merino')] }]) {
    const response = await importCatalogue(catalog.app, suite, body)
    expect(response.statusCode, response.payload).toBe(200)
  }
  await waitFor('catalog on NATS', () => check({}))
})

afterAll(() => suite.stop())

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
