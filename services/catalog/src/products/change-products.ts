import { chunksOf } from '@storefront/service'
import type { ProductInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { publishMany, MAX_SINGLE_EVENTS } from './bulk-events.ts'
import { findProductsToSave } from './products.queries.ts'
import type { RawProduct } from './raw-product.ts'
import { findRawProducts } from './raw-products.queries.ts'
import { saveProducts } from './save-products.ts'

/** Products that are in memory at once. */
const CHUNK = 500

/**
 * Saves a merchant's change of each of these stored products, which must be locked, and publishes events for each, or
 * one for all if there are many.
 */
export async function changeProducts(
  tx: Tx,
  ids: readonly string[],
  change: (product: RawProduct) => ProductInput,
  now: Date,
): Promise<void> {
  const announces = ids.length <= MAX_SINGLE_EVENTS
  for (const chunk of chunksOf(ids, CHUNK)) {
    const stored = new Map((await findProductsToSave(tx, chunk, [])).map((row) => [row.id, row]))
    const products = (await findRawProducts(tx, chunk)).map(({ raw }) => ({
      currency: raw.price?.currency ?? '',
      input: withoutInventories(change(raw)),
      slug: raw.slug,
      before: stored.get(raw.id),
    }))
    // A product keeps its currency even if the shop now has another.
    for (const [currency, ofCurrency] of Map.groupBy(products, (product) => product.currency)) {
      await saveProducts(tx, ofCurrency, { currency, now, announces })
    }
  }
  if (!announces) await publishMany(tx, now)
}

/** Quantities that were read are not written back, because a sale may happen meanwhile. */
function withoutInventories(product: ProductInput): ProductInput {
  return { ...product, variants: product.variants.map(({ inventory: _read, ...variant }) => variant) }
}
