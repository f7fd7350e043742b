import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { AdminReview, clampedInteger, listOf, ReviewStatus } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { reviewAnswer } from './list-reviews.ts'
import { findReviewsToModerate, type AdminReviewRow } from './moderation.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100

/** Every review of the shop, newest first: what waits to be looked at, what is shown and what is hidden. */
export function listAllReviewsRoute(app: App, { db, publicUrl }: { db: Database; publicUrl: string }): void {
  app.get(
    '/admin/reviews',
    {
      config: { access: { admin: 'catalog:read' } },
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'All reviews, newest first',
        querystring: z.object({
          status: ReviewStatus.optional(),
          product: z.string().max(200).optional(),
          page: clampedInteger({ default: 1, min: 1, max: 1_000_000 }),
          per_page: clampedInteger({ default: DEFAULT_PER_PAGE, min: 1, max: MAX_PER_PAGE }),
        }),
        response: { 200: listOf(AdminReview).extend({ page: z.int().positive(), perPage: z.int().positive() }) },
      },
    },
    async ({ query: { status, product, page, per_page: perPage } }) => {
      const place = { limit: perPage, offset: (page - 1) * perPage }
      const { total, reviews } = await findReviewsToModerate(db, { status, product }, place)
      return { items: reviews.map((row) => adminReviewAnswer(row, publicUrl)), total, page, perPage }
    },
  )
}

export function adminReviewAnswer(
  { status, product, customerId, ...review }: AdminReviewRow,
  publicUrl: string,
): AdminReview {
  return { ...reviewAnswer(review, publicUrl), status, product, ...(customerId !== null && { customerId }) }
}
