import { recordChange } from '@storefront/audit'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { commitWrite } from '../merchant/invalidate-caches.ts'
import { forAudit, lockForModeration, ReviewParams } from './moderate-review.ts'
import { deleteReview } from './moderation.queries.ts'
import { publishReviews } from './publish-reviews.ts'

/** Deletes a review permanently; its customer may write another one. */
export function deleteReviewRoute(app: App, context: CatalogContext): void {
  app.delete('/admin/reviews/:id', {
    config: { access: { admin: 'reviews:write' }, errors: ['not_found'] },
    schema: {
      summary: 'Delete a review',
      description:
        'Deletes it permanently; its customer may write another one. To hide it and keep it, set its ' +
        'status to `hidden`.',
      params: ReviewParams,
      response: { 200: Ok },
    },
    handler: async ({ params, actor }, reply) => {
      await commitWrite(context, reply, async (tx) => {
        const before = await lockForModeration(tx, params.id)
        await deleteReview(tx, params.id)
        const subject = { kind: 'review' as const, id: params.id }
        await recordChange(tx, { actor, subject, before: forAudit(before), at: context.clock.now() })
        return { keys: before.status === 'published' ? await publishReviews(tx, before.product, context) : [] }
      })
      return { ok: true as const }
    },
  })
}
