import { z } from 'zod'
import { textAt } from '../read-value.ts'
import { until, type StepContext } from './context.ts'

const PRODUCT = {
  slug: 'canvas-tote',
  title: 'Canvas Tote',
  price: { amount: 3200, currency: 'USD' },
  variants: [{ sku: 'TOTE', options: {}, inventory: 40 }],
}
const CSV = `Handle,Title,Body (HTML),Variant SKU,Variant Price,Variant Inventory Qty
canvas-tote,Canvas Tote,A bag for everything.,TOTE,32.00,40
`

/** Exports the catalog, and imports it in each format. */
export async function moveCatalog({ recorder, admin }: StepContext): Promise<void> {
  await recorder.call(admin, 'GET /admin/export', { show: inOrder })
  const exported = await recorder.call(admin, 'GET /admin/export', { headers: { accept: 'application/x-ndjson' } })
  await recorder.call(admin, 'POST /admin/import', { body: { mode: 'merge', products: [PRODUCT] } })
  const line = `${JSON.stringify({ type: 'product', data: PRODUCT })}\n`
  const call = { query: { mode: 'merge' }, type: 'application/x-ndjson', body: line }
  await recorder.call(admin, 'POST /admin/import', call)
  await recorder.call(admin, 'POST /admin/import', { query: { mode: 'merge' }, type: 'text/csv', body: CSV })
  const job = await recorder.call(admin, 'POST /admin/import', { ...call, query: { mode: 'merge', async: '1' } })
  const path = { id: textAt(job, 'id') }
  await until('the import is done', async () => {
    return textAt(await recorder.peek(admin, 'GET /admin/import/{id}', { path }), 'status') === 'done'
  })
  await recorder.call(admin, 'GET /admin/import/{id}', { path })
  await recorder.call(admin, 'GET /admin/imports', { query: { per_page: '2' } })
  // Imports are applied one at a time, so the second one waits and can be canceled.
  const background = { mode: 'merge', async: '1' }
  await recorder.peek(admin, 'POST /admin/import', { ...call, body: exported, query: background })
  const next = await recorder.peek(admin, 'POST /admin/import', { ...call, query: background })
  await recorder.call(admin, 'DELETE /admin/import/{id}', { path: { id: textAt(next, 'id') }, atOnce: true })
}

const Exported = z.looseObject({
  products: z.array(z.looseObject({ slug: z.string() })),
  reviews: z.array(z.looseObject({ body: z.string() })),
})

/** Sorts products and reviews, because they are exported in the order of their ids, which differ in every run. */
function inOrder(exported: unknown): unknown {
  const { products, reviews, ...others } = Exported.parse(exported)
  return {
    ...others,
    products: products.toSorted((one, other) => one.slug.localeCompare(other.slug)),
    reviews: reviews.toSorted((one, other) => one.body.localeCompare(other.body)),
  }
}
