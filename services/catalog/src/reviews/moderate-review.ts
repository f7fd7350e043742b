import { z } from 'zod'
import { recordChange } from '@storefront/audit'
import { requireUnchanged, type App } from '@storefront/http'
import { AdminReview, OpaqueId, ReviewModeration } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { bodyRejected, reviewNotFound } from '../errors.ts'
import { commitWrite } from '../merchant/invalidate-caches.ts'
import { lockProducts } from '../products/products.queries.ts'
import { adminReviewResponse } from './list-all-reviews.ts'
import { findProductOfReview, lockReview, setReviewStatus, type AdminReviewRow } from './moderation.queries.ts'
import { publishReviews } from './publish-reviews.ts'

const NOT_PENDING_AGAIN = { path: 'status', message: 'must be published or hidden: this review is no longer pending' }

/** A review in a path below /admin. */
export const ReviewParams = z.object({ id: OpaqueId.describe('Id of a review, as GET /admin/reviews lists it.') })

/** Publishes or hides a review, and updates the review summary of its product. */
export function moderateReviewRoute(app: App, context: CatalogContext): void {
  app.patch('/admin/reviews/:id', {
    config: { access: { admin: 'reviews:write' }, errors: ['not_found', 'read_only_field'] },
    schema: {
      summary: 'Publish or hide a review',
      description:
        'The rating of the product and the summary of its reviews are updated at once. Setting the current status ' +
        'again changes nothing, so a whole review may be sent back.',
      params: ReviewParams,
      body: ReviewModeration,
      response: { 200: AdminReview },
    },
    handler: async ({ params, body, actor, sentBack }, reply) => {
      const at = context.clock.now()
      const { review } = await commitWrite(context, reply, async (tx) => {
        const before = await lockForModeration(tx, params.id)
        requireUnchanged(sentBack, adminReviewResponse(before, context.publicUrl))
        if (before.status === body.status) return { review: before, keys: [] }
        if (body.status === 'pending') throw bodyRejected([NOT_PENDING_AGAIN])
        await setReviewStatus(tx, params.id, body.status)
        const after = await lockReview(tx, params.id)
        if (!after) throw reviewNotFound()
        const subject = { kind: 'review' as const, id: params.id }
        await recordChange(tx, { actor, subject, before: forAudit(before), after: forAudit(after), at })
        const isOrWasPublished = [before, after].some((each) => each.status === 'published')
        return { review: after, keys: isOrWasPublished ? await publishReviews(tx, after.product, context) : [] }
      })
      return adminReviewResponse(review, context.publicUrl)
    },
  })
}

/**
 * Leaves out the author, which must be deleted with the account, because the audit is never rewritten.
 */
export function forAudit({ author: _author, customerId: _customerId, ...review }: AdminReviewRow) {
  return review
}

/** Locks a review after its product, as every transaction that changes counted reviews does. */
export async function lockForModeration(tx: Tx, id: string): Promise<AdminReviewRow> {
  const productId = await findProductOfReview(tx, id)
  if (productId === undefined) throw reviewNotFound()
  await lockProducts(tx, [productId])
  const review = await lockReview(tx, id)
  if (!review) throw reviewNotFound()
  return review
}
