import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStorefrontClient, StorefrontError, type StorefrontClient } from '@storefront/client'
import { openApiText } from '@storefront/tools/openapi-text'
import { waitFor } from '@storefront/tools/testing'
import { openShop, type TestShop } from '../support/shop.ts'
import { ADDRESS } from '../support/test-client.ts'

const repository = join(import.meta.dirname, '../..')

let shop: TestShop

beforeAll(async () => {
  shop = await openShop()
  await shop.stockProduct('linen-shirt', 50)
})

afterAll(() => shop.stop())

const newClient = () => createStorefrontClient({ baseUrl: shop.shop.url })

/** A new cart with one shirt in it. */
async function cartWithShirt(client: StorefrontClient, quantity = 1) {
  const shirt = await client.get('/products/{slug}', { params: { path: { slug: 'linen-shirt' } } })
  const { id } = await client.post('/carts', { body: { fresh: true } })
  return client.post('/carts/{id}/lines', {
    params: { path: { id } },
    body: { variant_id: shirt.variants[0]?.id ?? '', quantity },
  })
}

async function checkOut(client: StorefrontClient, id: string, headers: Record<string, string> = {}) {
  const order = await client.post('/carts/{id}/checkout', {
    params: { path: { id } },
    headers,
    body: { email: 'ada@example.com', shipping_address: ADDRESS, shipping_method: 'standard' },
  })
  if (!('number' in order)) throw new Error('the shop returned no order')
  return order
}

test('a visitor browses the shop', async () => {
  const client = newClient()
  const list = await client.get('/products', {
    params: { query: { per_page: 1, page: 1, in_stock: '1', min_price: 100, sort: 'newest' } },
  })
  expect(list.items.map(({ slug }) => slug)).toEqual(['linen-shirt'])
  expect(list.perPage).toBe(1)
  const path = { slug: 'linen-shirt' }
  expect((await client.get('/products/{slug}/related', { params: { path } })).items).toEqual([])
  expect((await client.get('/products/{slug}/reviews', { params: { path } })).summary.count).toBe(0)
  expect((await client.get('/bootstrap')).storefront.pricing?.currency).toBe('USD')
  expect(await client.get('/storefront')).toMatchObject({ checkout: { mode: 'demo' } })
  expect((await client.get('/attributes')).icons.length).toBeGreaterThan(10)
  expect((await client.get('/categories', { params: { query: { tree: '0' } } })).items).toEqual([])
  expect((await client.get('/collections')).total).toBe(0)
  expect((await client.get('/size-charts')).total).toBe(0)
  expect(
    await client.get('/delivery-estimate', { params: { query: { method: 'standard', country: 'GB' } } }),
  ).toMatchObject({
    country: 'GB',
  })
})

test('a guest fills a cart, buys, and finds the order again without cookies', async () => {
  const client = newClient()
  const { id, lines } = await cartWithShirt(client, 2)
  const params = { path: { id, lineId: lines[0]?.id ?? '' } }
  expect((await client.patch('/carts/{id}/lines/{lineId}', { params, body: { quantity: 3 } })).subtotal.amount).toBe(
    12_000,
  )
  await expect(client.post('/carts/{id}/discount', { params, body: { code: 'NO-SUCH-CODE' } })).rejects.toMatchObject({
    name: 'StorefrontError',
    code: 'invalid_discount',
    status: 422,
  })

  const order = await checkOut(client, id)
  const found = { params: { path: { id: order.id }, query: { token: order.accessToken ?? '' } } }
  await waitFor('the order to be paid', async () => (await client.get('/orders/{id}', found)).status === 'paid')
  const looked = await client.post('/orders/lookup', { body: { number: order.number, email: 'ada@example.com' } })
  expect(looked.id).toBe(order.id)
  await expect(client.get('/orders/{id}', { params: { path: { id: order.id } } })).rejects.toMatchObject({
    status: 404,
  })
})

test('a cart is emptied line by line, or at once', async () => {
  const client = newClient()
  const { id, lines } = await cartWithShirt(client)
  const emptied = await client.delete('/carts/{id}/lines/{lineId}', {
    params: { path: { id, lineId: lines[0]?.id ?? '' } },
  })
  expect(emptied.lines).toEqual([])
  expect((await client.delete('/carts/{id}/lines', { params: { path: { id } } })).total.amount).toBe(0)
})

test('a checkout that is sent twice under one key is one order', async () => {
  const client = newClient()
  const { id } = await cartWithShirt(client)
  const first = await checkOut(client, id, { 'idempotency-key': 'client-test' })
  expect(await checkOut(client, id, { 'idempotency-key': 'client-test' })).toEqual(first)
  const response = await client.http.POST('/carts/{id}/checkout', {
    params: { path: { id } },
    headers: { 'idempotency-key': 'client-test' },
    body: { email: 'ada@example.com', shipping_address: ADDRESS, shipping_method: 'standard' },
  })
  expect(response.response.headers.get('idempotent-replayed')).toBe('true')
})

test('a customer has an account, addresses, a wishlist and orders', async () => {
  const rejected: StorefrontError[] = []
  const client = createStorefrontClient({ baseUrl: shop.shop.url, onUnauthenticated: (error) => rejected.push(error) })
  await expect(client.get('/me')).rejects.toMatchObject({ code: 'unauthenticated', status: 401 })
  const credentials = { email: 'client@example.com', password: 'correct horse battery' }
  const { token, customer } = await client.post('/auth/register', {
    body: { ...credentials, firstName: 'Ada', lastName: 'Lovelace' },
  })
  expect(customer.email).toBe('client@example.com')
  client.setToken(token)

  expect((await client.patch('/me', { body: { firstName: 'Augusta' } })).firstName).toBe('Augusta')
  const added = await client.post('/me/addresses', { body: { name: 'Ada', city: 'London', country: 'GB' } })
  const path = { id: added.addresses[0]?.id ?? '' }
  const changed = await client.patch('/me/addresses/{id}', { params: { path }, body: { city: 'Leeds' } })
  expect(changed.addresses).toMatchObject([{ city: 'Leeds', country: 'GB', isDefault: true }])
  expect((await client.delete('/me/addresses/{id}', { params: { path } })).addresses).toEqual([])

  await client.post('/me/wishlist', { body: { product_slug: 'linen-shirt' } })
  expect((await client.get('/me/wishlist')).items.map(({ slug }) => slug)).toEqual(['linen-shirt'])
  await client.delete('/me/wishlist/{slug}', { params: { path: { slug: 'linen-shirt' } } })
  expect((await client.get('/me/wishlist')).total).toBe(0)

  const order = await checkOut(client, (await cartWithShirt(client)).id)
  const orders = await client.get('/orders', { params: { query: { page: 1, per_page: 5 } } })
  expect(orders.items.map(({ id }) => id)).toEqual([order.id])

  expect(rejected).toEqual([])
  await client.post('/auth/logout')
  await expect(client.get('/me')).rejects.toBeInstanceOf(StorefrontError)
  expect(rejected).toMatchObject([{ code: 'unauthenticated' }])
  client.setToken((await client.post('/auth/login', { body: credentials })).token)
  expect((await client.get('/me')).firstName).toBe('Augusta')
})

test('an unchanged response is not sent again', async () => {
  const { http } = newClient()
  const { response } = await http.GET('/storefront')
  const again = await http.GET('/storefront', { headers: { 'if-none-match': response.headers.get('etag') } })
  expect(again.response.status).toBe(304)
})

test('docs/openapi.json matches the running shop', async () => {
  const committed = await readFile(join(repository, 'docs/openapi.json'), 'utf8')
  expect(committed === (await openApiText(shop.shop.url)), 'run npm run client, which updates this file').toBe(true)
})
