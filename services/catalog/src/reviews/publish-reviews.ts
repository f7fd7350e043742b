import { publish } from '@storefront/messaging'
import type { Clock, Log } from '@storefront/service'
import { ProductUpdated, type AdminReview } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { refreshProducts } from '../products/refresh-products.ts'
import { findProductVersion } from './moderation.queries.ts'
import { recountReviews } from './reviews.queries.ts'

/**
 * Updates all data that is derived from a product's published reviews. Call this last in a transaction that has locked
 * the product.
 * @returns surrogate keys of what is out of date
 */
export async function publishReviews(
  tx: Tx,
  { id, slug }: AdminReview['product'],
  context: { clock: Clock; log: Log; publicUrl: string },
): Promise<string[]> {
  await recountReviews(tx, [id])
  const version = await findProductVersion(tx, id)
  await publish(tx, ProductUpdated, { productId: id, slug, version }, context.clock.now())
  return [key.reviews(slug), ...(await refreshProducts(tx, [id], context))]
}
