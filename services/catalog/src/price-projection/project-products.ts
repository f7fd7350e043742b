import { chunksOf } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import { findPriceEntriesOfProducts } from './price-projection.queries.ts'

/** Products whose entries are in memory at once. */
const CHUNK = 500

/** Writes the current entries of products to the price projection. */
export async function projectProducts(
  { db, projection, publicUrl }: Pick<CatalogContext, 'db' | 'projection' | 'publicUrl'>,
  productIds: readonly string[],
): Promise<void> {
  for (const ids of chunksOf(productIds, CHUNK)) {
    await projection.writeEntries(await findPriceEntriesOfProducts(db, ids, publicUrl))
  }
}
