import type { ProductInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { skuTaken } from '../errors.ts'
import { findUsedSlugs, lockSlug } from './admin-products.queries.ts'
import { slugOf } from './product.ts'
import type { RawProduct } from './raw-product.ts'
import { findForeignSkus } from './variants.queries.ts'

const FIRST_NUMBERS = 20

/** Makes an unused slug from a title. Former slugs count as used: links to them still exist. */
export async function chooseSlug(tx: Tx, title: string): Promise<string> {
  const base = slugOf(title)
  await lockSlug(tx, base)
  let candidates = [base]
  for (let next = 2, count = FIRST_NUMBERS; ; next += count, count *= 2) {
    const used = new Set(await findUsedSlugs(tx, candidates))
    const free = candidates.find((slug) => !used.has(slug))
    if (free !== undefined) return free
    candidates = Array.from({ length: count }, (_, index) => `${base}-${next + index}`)
  }
}

/**
 * Rejects SKUs that another product has.
 * @param stored the product, which must be locked, so that no other has its SKUs; undefined for a new one
 */
export async function assertSkusFree(tx: Tx, input: ProductInput, stored?: RawProduct): Promise<void> {
  const own = new Set(stored?.variants.map(({ sku }) => sku))
  const productId = stored?.id ?? ''
  const given = input.variants.flatMap(({ sku }) => (sku === undefined || own.has(sku) ? [] : [{ sku, productId }]))
  const [taken] = given.length === 0 ? [] : await findForeignSkus(tx, given)
  if (taken !== undefined) throw skuTaken(taken)
}
