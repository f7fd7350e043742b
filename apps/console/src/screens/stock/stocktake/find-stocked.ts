import type { ResponseOf } from '@storefront/client'
import { shop } from '../../../shop.ts'
import { MAX_THRESHOLD } from '../stock-queries.ts'
import { mapInParallel } from './map-in-parallel.ts'
import { withRetries } from './with-retries.ts'

/** A variant with what the shop has on hand, including what checkouts have reserved. */
export interface Stocked {
  variantId: string
  sku: string
  title: string
  options: Record<string, string>
  onHand: number
}

const PER_PAGE = 100

/**
 * Finds variants by their SKUs. A shop with few variants is read as a list, a hundred at a time; what is missing then
 * is looked up one by one.
 */
export async function findStocked(
  skus: readonly string[],
  onProgress: (found: number) => void,
): Promise<Map<string, Stocked>> {
  const wanted = new Set(skus)
  const found = new Map<string, Stocked>()
  let cursor: string | undefined
  for (let page = 1; page <= wanted.size && found.size < wanted.size; page++) {
    const query = { threshold: MAX_THRESHOLD, per_page: PER_PAGE, ...(cursor !== undefined && { cursor }) }
    const { items, total, nextCursor } = await shop.get('/admin/products/low-stock', { params: { query } })
    for (const variant of items) if (wanted.has(variant.sku)) found.set(variant.sku, stockedOf(variant))
    onProgress(found.size)
    cursor = nextCursor
    // Of a large shop the list would take longer than one request for each SKU.
    if (cursor === undefined || Math.ceil(total / PER_PAGE) > wanted.size) break
  }
  const missing = [...wanted].filter((sku) => !found.has(sku))
  const foundInList = found.size
  const others = await mapInParallel(missing, findBySku, (done) => onProgress(foundInList + done))
  for (const other of others) if (other) found.set(other.sku, other)
  return found
}

type LowStockVariant = ResponseOf<'GET /admin/products/low-stock'>['items'][number]

function stockedOf({ id, sku, options, product, onHand }: LowStockVariant): Stocked {
  return { variantId: id, sku, options, title: product.title, onHand }
}

/** A short SKU may be a part of those of many products, so that its own is on a later page. */
async function findBySku(sku: string): Promise<Stocked | undefined> {
  for (let page = 1; ; page++) {
    const query = { q: sku, per_page: PER_PAGE, page }
    const { items, total } = await withRetries(() => shop.get('/admin/products', { params: { query } }))
    for (const { title, variants } of items) {
      const variant = variants.find((one) => one.sku === sku)
      if (!variant) continue
      const onHand = await withRetries(() => onHandOf(variant))
      return { variantId: variant.id, sku, options: variant.options, title, onHand }
    }
    if (page * PER_PAGE >= total) return undefined
  }
}

/** The list of products has no reserved units; the latest movement has. */
async function onHandOf({ id, inventory }: { id: string; inventory: number }): Promise<number> {
  const { items } = await shop.get('/admin/variants/{id}/movements', {
    params: { path: { id }, query: { per_page: 1 } },
  })
  return items[0]?.after.onHand ?? inventory
}
