import { z } from 'zod'
import { optionalFilter, pageFields, pageParameters, type App } from '@storefront/http'
import { AdminReview, listOf, ReviewStatus } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { reviewResponse } from './list-reviews.ts'
import { findReviewsToModerate, type AdminReviewRow } from './moderation.queries.ts'

export function listAllReviewsRoute(app: App, { db, publicUrl }: { db: Database; publicUrl: string }): void {
  app.get('/admin/reviews', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'All reviews, newest first',
      description: 'Reviews of all products: pending, published and hidden.',
      querystring: z.object({
        status: ReviewStatus.optional().describe('Only reviews with this status; `pending` ones wait for a decision.'),
        product: optionalFilter(z.string().max(200)).describe('Current slug of a product: only its reviews.'),
        ...pageParameters(),
      }),
      response: { 200: listOf(AdminReview).extend(pageFields) },
    },
    handler: async ({ query: { status, product, page, per_page: perPage } }) => {
      const range = { limit: perPage, offset: (page - 1) * perPage }
      const { total, reviews } = await findReviewsToModerate(db, { status, product }, range)
      return { items: reviews.map((row) => adminReviewResponse(row, publicUrl)), total, page, perPage }
    },
  })
}

export function adminReviewResponse(
  { status, product, customerId, ...review }: AdminReviewRow,
  publicUrl: string,
): AdminReview {
  return { ...reviewResponse(review, publicUrl), status, product, ...(customerId !== null && { customerId }) }
}
