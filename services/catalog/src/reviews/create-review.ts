import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { ReviewSubmission, SubmittedReview, type Actor } from '@storefront/contracts'
import { isFormerCustomer, lockCustomers } from '../customers/customers.queries.ts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { alreadyReviewed, notSignedIn, productNotFound, reviewNotFound, reviewsSwitchedOff } from '../errors.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { settingsInForce } from '../settings/settings-in-force.ts'
import { reviewResponse } from './list-reviews.ts'
import { insertPendingReview, lockReview, type AdminReviewRow } from './moderation.queries.ts'
import { ProductSlugParams } from '../products/product-params.ts'
import { findPublishedBySlug } from '../products/products.queries.ts'

/** Adds a customer's review of a product. It is visible only to merchants until one publishes it. */
export function createReviewRoute(app: App, { db, clock, publicUrl }: CatalogContext): void {
  app.post('/products/:slug/reviews', {
    config: { access: 'customer', errors: ['conflict', 'forbidden', 'not_found'] },
    schema: {
      summary: 'Review a product, once; the review is shown after the shop has approved it',
      description:
        'A second review of the same product is 409 `conflict`; if the shop does not accept reviews, the reply is 403 ' +
        '`forbidden`. `verified` shows that the customer has paid for the product.',
      params: ProductSlugParams,
      body: ReviewSubmission,
      response: { 200: SubmittedReview },
    },
    handler: async ({ params, body, actor }) => {
      const written = await transaction(db, (tx) => writeReview(tx, params.slug, body, { actor, at: clock.now() }))
      const { product: _product, customerId: _customerId, status, ...review } = written
      return { ...reviewResponse(review, publicUrl), status }
    },
  })
}

async function writeReview(
  tx: Tx,
  slug: string,
  submission: ReviewSubmission,
  { actor, at }: { actor: Actor; at: Date },
): Promise<AdminReviewRow> {
  if (actor.kind !== 'customer') throw notSignedIn()
  const { document } = await findSettings(tx)
  if (!settingsInForce(document).takesReviews) throw reviewsSwitchedOff()
  const product = await findPublishedBySlug(tx, slug)
  if (!product) throw productNotFound()
  const { customerId } = actor
  await lockCustomers(tx, [customerId])
  // If the account was deleted after the sign-in, the name on this review would never be removed.
  if (await isFormerCustomer(tx, customerId)) throw notSignedIn()
  const id = await insertPendingReview(tx, { ...submission, productId: product.id, customerId, createdAt: at })
  if (id === undefined) throw alreadyReviewed()
  const written = await lockReview(tx, id)
  if (!written) throw reviewNotFound()
  return written
}
