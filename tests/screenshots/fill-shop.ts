import { z } from 'zod'
import type { Order, Product } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'
import { waitFor } from '@storefront/tools/testing'
import { waitForPayment } from '../support/paid-order.ts'
import { ADDRESS, TestClient, type TestResponse } from '../support/test-client.ts'

const BUYERS = ['ada', 'ben', 'cleo', 'ada', 'dora', 'emil', 'cleo', 'finn']

const Ids = z.object({ items: z.array(z.object({ id: z.string(), email: z.string().optional() })) })

/** The ids for which addresses of screens have a placeholder. */
export interface ShopIds {
  ORDER: string
  PRODUCT: string
  BUYER: string
  DRAFT: string
  COLLECTION: string
}

/** Lets people buy in the demo shop, and a merchant do what leaves traces on the screens. */
export async function fillShop({ url, adminEmail, adminPassword }: RunningShop): Promise<ShopIds> {
  const admin = new TestClient(url)
  await admin.signInAsAdmin(adminEmail, adminPassword)
  const products = (await admin.products('?in_stock=true&per_page=12')).filter(({ variants }) =>
    variants.some(({ available }) => available),
  )
  const orders: Order[] = []
  for (const [index, name] of BUYERS.entries()) {
    const buyer = new TestClient(url)
    const variants = [index, index + 3].flatMap((place) => products[place % products.length]?.variants ?? [])
    const variant = variants.find(({ available }) => available)
    if (!variant) throw new Error('the demo shop has nothing in stock')
    orders.push(await buyer.buy(variant.id, 1 + (index % 3), `${name}@example.com`))
  }
  const [order, shipped] = orders
  if (!order || !shipped) throw new Error('the demo shop has no orders')
  await waitForPayment(admin, `/admin/orders/${orders.at(-1)?.id}`)
  await done(admin.post(`/admin/orders/${order.id}/notes`, { text: 'Wants it wrapped as a gift.' }))
  await done(admin.call('PATCH', `/admin/orders/${order.id}`, { tags: ['gift'] }))
  const tracking = { carrier: 'Royal Mail', code: 'RM123456785GB', url: 'https://www.royalmail.com/track-your-item' }
  await done(admin.post(`/admin/orders/${shipped.id}/fulfilments`, { tracking }))
  const change = { kind: 'tags', add: ['natural'] }
  await done(admin.post('/admin/products/bulk', { products: { filter: { q: 'linen' } }, change }))
  const buyers = await waitFor('buyers', async () => {
    const { items } = Ids.parse((await admin.get('/admin/buyers')).body)
    return items.length >= new Set(BUYERS).size ? items : undefined
  })
  const collections = z
    .object({ items: z.array(z.object({ slug: z.string() })) })
    .parse((await admin.get('/admin/collections')).body)
  return {
    ORDER: order.id,
    PRODUCT: products[0]?.id ?? '',
    BUYER: buyers[0]?.id ?? '',
    DRAFT: await sendDraft(admin, products.at(-1)),
    COLLECTION: collections.items[0]?.slug ?? '',
  }
}

/** @returns the body of a successful response */
async function done(request: Promise<TestResponse>): Promise<unknown> {
  const { status, body } = await request
  if (status >= 300) throw new Error(`the shop replied with ${status}: ${JSON.stringify(body)}`)
  return body
}

async function sendDraft(admin: TestClient, product: Product | undefined): Promise<string> {
  const variant = product?.variants.find(({ available }) => available)
  const draft = {
    email: 'greta@example.com',
    shippingAddress: { ...ADDRESS, name: 'Greta Meyer' },
    shippingMethod: 'standard',
    lines: [{ variantId: variant?.id, quantity: 2 }],
    note: 'Called on Monday.',
  }
  const { id } = z.object({ id: z.string() }).parse(await done(admin.post('/admin/draft-orders', draft)))
  await done(admin.post(`/admin/draft-orders/${id}/send`, {}))
  return id
}
