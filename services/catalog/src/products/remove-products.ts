import { publishAll } from '@storefront/messaging'
import { ProductDeleted } from '@storefront/contracts'
import type { WithdrawnVariant } from '../price-projection/price-projection.ts'
import type { Tx } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { updateListings } from '../listings/update-listings.ts'
import { deleteProducts } from './products.queries.ts'
import { findVariantIdsOf } from './variants.queries.ts'

export interface ProductToRemove {
  id: string
  slug: string
  version: number
}

/**
 * Deletes products, which must be locked, and removes them from all lists.
 * @returns the variants to remove from the price projection, and what is out of date
 */
export async function removeProducts(
  tx: Tx,
  products: readonly ProductToRemove[],
  { now, announces = true }: { now: Date; announces?: boolean },
): Promise<{ removed: WithdrawnVariant[]; keys: string[] }> {
  if (products.length === 0) return { removed: [], keys: [] }
  const ids = products.map((product) => product.id)
  const versions = new Map(products.map(({ id, version }) => [id, version]))
  const variants = await findVariantIdsOf(tx, ids)
  const keys = await updateListings(tx, ids, [])
  await deleteProducts(tx, ids)
  if (announces) {
    await publishAll(
      tx,
      ProductDeleted,
      products.map(({ id, slug, version }) => ({ productId: id, slug, version: version + 1 })),
      now,
    )
  }
  return {
    removed: variants.map(({ id, productId }) => ({ variantId: id, factsVersion: (versions.get(productId) ?? 0) + 1 })),
    keys: [...products.map(({ slug }) => key.product(slug)), key.manyProducts, ...keys],
  }
}
