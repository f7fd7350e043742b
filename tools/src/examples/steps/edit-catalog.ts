import { textAt, valueAt } from '../read-value.ts'
import { SHIRT, until, type StepContext } from './context.ts'

/** A white PNG of 800 by 1000 pixels. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAyAAAAPoAQAAAAAOsKccAAABcUlEQVR42u3NMQEAAAwCIPuX1gK7d0EB0geRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiURyGZnjMCxRtQQGAAAAAElFTkSuQmCC'

/** What a merchant does with products and their stock. */
export async function editProducts({ recorder, admin }: StepContext): Promise<void> {
  await recorder.call(admin, 'GET /admin/products', { query: { q: 'linen', per_page: '2' } })
  const made = await recorder.call(admin, 'POST /admin/products', {
    body: {
      title: 'Poplin Shirt',
      description: 'A crisp shirt for every day.',
      price: { amount: 6800, currency: 'USD' },
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [
        { sku: 'POPLIN-S', options: { Size: 'S' }, inventory: 12 },
        { sku: 'POPLIN-M', options: { Size: 'M' }, inventory: 8 },
      ],
      categories: ['men-shirts'],
      tags: ['cotton'],
    },
  })
  const path = { id: textAt(made, 'id') }
  await recorder.call(admin, 'GET /admin/products/{id}', { path })
  await recorder.call(admin, 'PATCH /admin/products/{id}', { path, body: { price: { amount: 6200, currency: 'USD' } } })
  const variant = { id: textAt(made, 'variants', 0, 'id') }
  await recorder.call(admin, 'PATCH /admin/variants/{id}/inventory', { path: variant, body: { quantity: 20 } })
  const delivery = { delta: 30, reason: 'Delivery of the mill', operationId: 'delivery-of-march' }
  await recorder.call(admin, 'POST /admin/variants/{id}/inventory', { path: variant, body: delivery })
  await recorder.call(admin, 'GET /admin/variants/{id}/movements', { path: variant, query: { per_page: '2' } })
  await recorder.call(admin, 'GET /admin/products/low-stock', { query: { threshold: '8', per_page: '2' } })
  const large = { sku: 'POPLIN-L', options: { Size: 'L' }, inventory: 0 }
  await recorder.peek(admin, 'PATCH /admin/products/{id}', {
    path,
    body: { options: [{ name: 'Size', values: ['S', 'M', 'L'] }] },
  })
  const added = await recorder.call(admin, 'POST /admin/products/{id}/variants', { path, body: large })
  const ofProduct = { ...path, variantId: textAt(added, 'id') }
  await recorder.call(admin, 'PATCH /admin/products/{id}/variants/{variantId}', {
    path: ofProduct,
    body: { price: { amount: 6600, currency: 'USD' } },
  })
  await recorder.call(admin, 'DELETE /admin/products/{id}/variants/{variantId}', { path: ofProduct })
  await recorder.call(admin, 'DELETE /admin/products/{id}', { path })
  await recorder.call(admin, 'GET /admin/audit', { query: { kind: 'product', per_page: '2' } })
}

/** Changes many products at once, and restores them. */
export async function editInBulk({ recorder, admin }: StepContext): Promise<void> {
  const untilDone = (path: { id: string }) =>
    until('the products are changed', async () => {
      return textAt(await recorder.peek(admin, 'GET /admin/products/bulk/{id}', { path }), 'state') === 'done'
    })
  const body = {
    products: { filter: { category: 'men-shirts' } },
    change: { kind: 'price', percent: -20, keepAsCompareAt: true },
  }
  await recorder.call(admin, 'POST /admin/products/bulk/preview', { body })
  const headers = { 'idempotency-key': 'shirt-week-2026' }
  const path = { id: textAt(await recorder.call(admin, 'POST /admin/products/bulk', { headers, body }), 'id') }
  await untilDone(path)
  await recorder.call(admin, 'GET /admin/products/bulk/{id}', { path })
  await untilDone({ id: textAt(await recorder.call(admin, 'POST /admin/products/bulk/{id}/undo', { path }), 'id') })
  await recorder.call(admin, 'GET /admin/products/bulk', { query: { per_page: '2' } })
  // Bulk edits take place one after the other, so the second one waits and can be canceled.
  const tagged = { body: { products: { filter: {} }, change: { kind: 'tags', add: ['archive'] } } }
  const first = { id: textAt(await recorder.peek(admin, 'POST /admin/products/bulk', tagged), 'id') }
  const next = { id: textAt(await recorder.peek(admin, 'POST /admin/products/bulk', tagged), 'id') }
  await recorder.call(admin, 'DELETE /admin/products/bulk/{id}', { path: next, atOnce: true })
  await untilDone(first)
  await untilDone({
    id: textAt(await recorder.peek(admin, 'POST /admin/products/bulk/{id}/undo', { path: first }), 'id'),
  })
}

/** Categories, collections, size charts and reviews. */
export async function editCategories({ recorder, admin }: StepContext): Promise<void> {
  const category = { slug: 'overshirts', name: 'Overshirts', parent: 'men', blurb: 'Between a shirt and a jacket.' }
  await recorder.call(admin, 'POST /admin/categories', { body: category })
  await recorder.call(admin, 'GET /admin/categories')
  await recorder.call(admin, 'DELETE /admin/categories/{slug}', { path: { slug: category.slug } })
  const collection = { slug: 'linen', title: 'Linen', blurb: 'For warm days.', products: [SHIRT] }
  await recorder.call(admin, 'POST /admin/collections', { body: collection })
  await recorder.call(admin, 'GET /admin/collections')
  await recorder.call(admin, 'GET /admin/collections/{slug}', { path: { slug: collection.slug } })
  await recorder.call(admin, 'DELETE /admin/collections/{slug}', { path: { slug: collection.slug } })
  const chart = {
    id: 'overshirts',
    unit: 'cm',
    note: 'Measured flat.',
    columns: ['Size', 'Chest'],
    rows: [
      ['S', 52],
      ['M', 55],
    ],
  }
  await recorder.call(admin, 'POST /admin/size-charts', { body: chart })
  await recorder.call(admin, 'GET /admin/size-charts')
  await recorder.call(admin, 'DELETE /admin/size-charts/{id}', { path: { id: chart.id } })
  const reviews = await recorder.call(admin, 'GET /admin/reviews', { query: { status: 'pending', per_page: '2' } })
  const review = { id: textAt(reviews, 'items', 0, 'id') }
  await recorder.call(admin, 'PATCH /admin/reviews/{id}', { path: review, body: { status: 'published' } })
  await recorder.call(admin, 'DELETE /admin/reviews/{id}', { path: review })
}

export async function editLibrary({ recorder, admin }: StepContext): Promise<void> {
  const kind = { kind: 'features' }
  const feature = { icon: 'leaf', title: 'European linen', body: 'Grown and spun within 500 km.' }
  const item = await recorder.call(admin, 'POST /admin/library/{kind}', { path: kind, body: feature })
  await recorder.call(admin, 'GET /admin/library')
  await recorder.call(admin, 'DELETE /admin/library/{kind}/{id}', { path: { ...kind, id: textAt(item, 'id') } })
  const form = new FormData()
  form.append('file', new File([Buffer.from(PICTURE, 'base64')], 'poplin-shirt.png', { type: 'image/png' }))
  form.append('alt', 'A folded poplin shirt')
  const uploaded = await recorder.call(admin, 'POST /admin/media', { body: form })
  const path = { id: textAt(uploaded, 'id') }
  await recorder.call(admin, 'GET /admin/media', { query: { per_page: '2' } })
  await recorder.call(admin, 'GET /admin/media/{id}', { path })
  await recorder.call(admin, 'PATCH /admin/media/{id}', {
    path,
    body: { alt: 'A poplin shirt, folded', focalPoint: { x: 0.5, y: 0.3 } },
  })
  await recorder.call(admin, 'DELETE /admin/media/{id}', { path })
}

/** The configuration of the storefront, and the discounts. */
export async function setUpShop({ recorder, admin }: StepContext): Promise<void> {
  const tagline = { store: { tagline: 'Made to last' } }
  await recorder.call(admin, 'PATCH /admin/storefront', { body: tagline })
  await recorder.call(admin, 'GET /admin/storefront')
  const versions = await recorder.call(admin, 'GET /admin/storefront/versions', { query: { per_page: '2' } })
  const path = { version: String(valueAt(versions, 'items', 1, 'version')) }
  await recorder.call(admin, 'GET /admin/storefront/versions/{version}', { path })
  await recorder.call(admin, 'POST /admin/storefront/versions/{version}/restore', { path })
  await recorder.call(admin, 'DELETE /admin/storefront/{path}', { path: { path: 'store.tagline' } })
  const code = { code: 'SPRING10' }
  const discount = {
    ...code,
    kind: 'percent',
    value: 10,
    label: '10% off in spring',
    minSubtotal: 5000,
    usageLimit: 200,
  }
  await recorder.call(admin, 'POST /admin/discounts', { body: discount })
  await recorder.call(admin, 'GET /admin/discounts', { query: { per_page: '2' } })
  await recorder.call(admin, 'GET /admin/discounts/{code}', { path: code })
  await recorder.call(admin, 'PATCH /admin/discounts/{code}', {
    path: code,
    body: { active: false, minSubtotal: null },
  })
  await recorder.call(admin, 'DELETE /admin/discounts/{code}', { path: code })
  await recorder.call(admin, 'GET /admin/discounts/audit', { query: { per_page: '2' } })
  await recorder.call(admin, 'GET /admin/activity', { query: { per_page: '2' } })
}
