import { z } from 'zod'
import { sendPublicJson, type App } from '@storefront/chassis'
import { clampedInteger, listOf, Review, ReviewSummary } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { productNotFound } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { absoluteUrl } from '../products/product-answer.ts'
import { findReviews, type ReviewRow } from './reviews.queries.ts'
import { summaryOf } from './review-summary.ts'

const DEFAULT_PER_PAGE = 5
const MAX_PER_PAGE = 48

const ReviewList = listOf(Review)
  .extend({ page: z.int().positive(), perPage: z.int().positive(), summary: ReviewSummary })
  .meta({ id: 'ReviewList' })

/** What buyers say about a product, under its slug or one it had before. */
export function listReviewsRoute(app: App, { db, publicUrl }: { db: Database; publicUrl: string }): void {
  app.get(
    '/products/:slug/reviews',
    {
      config: { access: 'public', errors: ['not_found'] },
      schema: {
        tags: ['Catalogue'],
        summary: 'The published reviews of a product, newest first, and what they say together',
        params: z.object({ slug: z.string() }),
        querystring: z.object({
          page: clampedInteger({ default: 1, min: 1, max: 1_000_000 }),
          per_page: clampedInteger({ default: DEFAULT_PER_PAGE, min: 1, max: MAX_PER_PAGE }),
        }),
        response: { 200: ReviewList },
      },
    },
    async ({ params, query }, reply) => {
      const { page, per_page: perPage } = query
      const found = await findReviews(db, params.slug, { limit: perPage, offset: (page - 1) * perPage })
      if (!found) throw productNotFound()
      const summary = summaryOf(found.counts)
      const items = found.reviews.map((row) => reviewAnswer(row, publicUrl))
      const body: z.input<typeof ReviewList> = { items, total: summary.count, page, perPage, summary }
      return sendPublicJson(reply, JSON.stringify(body), [key.product(found.slug), key.reviews(found.slug)])
    },
  )
}

/** A stored review as it is answered: the pictures on this server with absolute addresses. */
export function reviewAnswer({ fit, ...row }: ReviewRow, publicUrl: string): Review {
  return {
    ...row,
    createdAt: new Date(row.createdAt).toISOString(),
    ...(fit !== null && { fit }),
    photos: row.photos.map(({ url, alt }) => ({ url: absoluteUrl(url, publicUrl), alt })),
  }
}
