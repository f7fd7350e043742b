import { expect } from 'vitest'
import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import { placePaidOrder } from './paid-order.ts'
import type { TestShop } from './shop.ts'
import { ADDRESS, type TestResponse } from './test-client.ts'

const Id = z.object({ id: z.string() })
const Ids = z.object({ items: z.array(Id) })
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/**
 * Makes something for every screen of the console to show.
 * @returns the address of each screen that shows one record, by its path in the router
 */
export async function fillEveryScreen(shop: TestShop): Promise<Record<string, string>> {
  const { admin } = shop
  const customer = shop.client()
  await customer.register('ada@mail.example')
  const { shirt, variant, order } = await placeOrders(shop)
  await done(customer.post('/products/role-shirt/reviews', { author: 'Ada', rating: 4, body: 'Cool in summer.' }))
  await fillCatalog(shop)
  await done(admin.post('/admin/discounts', { code: 'ROLES10', kind: 'percent', value: 10, label: 'Ten percent off' }))
  await done(admin.post('/admin/webhooks', { url: shop.receiver.url, types: ['order.paid'], description: 'The ERP' }))
  await done(admin.post(`/admin/orders/${order}/notes`, { text: 'Wants it wrapped.' }))
  const change = { kind: 'tags', add: ['natural'] }
  const edit = await idOf(admin.post('/admin/products/bulk', { products: { filter: {} }, change }))
  const line = `${JSON.stringify({ type: 'category', data: { slug: 'imported', name: 'Imported' } })}\n`
  const type = { 'content-type': 'application/x-ndjson' }
  const imported = await idOf(admin.call('POST', '/admin/import?mode=merge&async=1', line, type))
  await waitFor('the import and the bulk edit', async () => {
    const states = [
      z.object({ status: z.string() }).parse((await admin.get(`/admin/import/${imported}`)).body).status,
      z.object({ state: z.string() }).parse((await admin.get(`/admin/products/bulk/${edit}`)).body).state,
    ]
    return states.every((state) => state === 'done')
  })
  const buyer = await waitFor('the buyer', async () => firstOf(await admin.get('/admin/buyers')))
  await done(admin.post(`/admin/buyers/${buyer}/notes`, { text: 'Prefers a call.' }))
  return {
    '/products/$id': `/products/${shirt}`,
    '/products/bulk/$id': `/products/bulk/${edit}`,
    '/collections/edit': '/collections/edit?slug=linen',
    '/size-charts/edit': '/size-charts/edit?id=shirts',
    '/orders/$id': `/orders/${order}`,
    '/orders/drafts/$id': `/orders/drafts/${await idOf(admin.post('/admin/draft-orders', draftOf(variant)))}`,
    '/discounts/code': '/discounts/code?code=ROLES10',
    '/customers/buyers/$id': `/customers/buyers/${buyer}`,
    '/customers/$id': `/customers/${firstOf(await admin.get('/admin/customers'))}`,
    '/import/$id': `/import/${imported}`,
  }
}

async function placeOrders(shop: TestShop): Promise<{ shirt: string; variant: string; order: string }> {
  const product = await shop.stockProduct('role-shirt', 3)
  const { id } = await placePaidOrder(shop, 'Ada Lovelace', [[product, 1]])
  return { shirt: product.id, variant: product.variants[0]?.id ?? '', order: id }
}

const draftOf = (variantId: string) => ({
  email: 'greta@mail.example',
  shippingAddress: ADDRESS,
  shippingMethod: 'standard',
  lines: [{ variantId, quantity: 1 }],
})

async function fillCatalog({ admin, shop }: TestShop): Promise<void> {
  await done(admin.post('/admin/categories', { slug: 'shirts', name: 'Shirts' }))
  await done(admin.post('/admin/categories', { slug: 'trousers', name: 'Trousers' }))
  await done(admin.post('/admin/collections', { slug: 'linen', title: 'Linen', products: ['role-shirt'] }))
  const rows = [['S', 52]]
  await done(admin.post('/admin/size-charts', { id: 'shirts', unit: 'cm', columns: ['Size', 'Chest'], rows }))
  await done(admin.post('/admin/library/features', { icon: 'leaf', title: 'Linen', body: 'Grown near here.' }))
  await done(admin.call('PATCH', '/admin/storefront', { store: { tagline: 'Made to last' } }))
  const form = new FormData()
  form.append('file', new File([Buffer.from(PICTURE, 'base64')], 'shirt.png', { type: 'image/png' }))
  const headers = { authorization: `Bearer ${admin.token}` }
  const uploaded = await fetch(`${shop.url}/admin/media`, { method: 'POST', headers, body: form })
  expect(uploaded.status).toBeLessThan(300)
}

async function done(response: Promise<TestResponse>): Promise<TestResponse> {
  const result = await response
  expect(result.status, JSON.stringify(result.body)).toBeLessThan(300)
  return result
}

const idOf = async (response: Promise<TestResponse>) => Id.parse((await done(response)).body).id
const firstOf = ({ body }: TestResponse) => Ids.parse(body).items[0]?.id
