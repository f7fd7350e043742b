import { z } from 'zod'
import { pageFields, pageParameters, sendPublicJson, type App } from '@storefront/http'
import { listOf, Review, ReviewSummary } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { productNotFound } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { absoluteUrl } from '../products/product-response.ts'
import { findReviews, type ReviewRow } from './reviews.queries.ts'
import { summaryOf } from './review-summary.ts'
import { ProductSlugParams } from '../products/product-params.ts'

const DEFAULT_PER_PAGE = 5
const MAX_PER_PAGE = 48

const ReviewList = listOf(Review)
  .extend({
    ...pageFields,
    summary: ReviewSummary.describe('Summary of all published reviews, the same on every page.'),
  })
  .meta({ id: 'ReviewList' })

/** The reviews of a product, under its current slug or a former one. */
export function listReviewsRoute(
  app: App,
  { publicReads, publicUrl }: Pick<CatalogContext, 'publicReads' | 'publicUrl'>,
): void {
  app.get('/products/:slug/reviews', {
    config: { access: 'public', errors: ['not_found'] },
    schema: {
      summary: 'The published reviews of a product, newest first, with a summary',
      description:
        'Of reviews with the same time, verified ones come first. A product without reviews has an empty list and ' +
        'an average of 0.',
      params: ProductSlugParams,
      querystring: z.object(pageParameters({ default: DEFAULT_PER_PAGE, max: MAX_PER_PAGE })),
      response: { 200: ReviewList },
    },
    handler: async ({ params, query }, reply) => {
      const { page, per_page: perPage } = query
      const range = { limit: perPage, offset: (page - 1) * perPage }
      const keysOf = (slug: string) => [key.product(slug), key.reviews(slug)]
      const found = await publicReads.readPage(
        keysOf(params.slug),
        (db) => findReviews(db, params.slug, range),
        ({ slug }) => keysOf(slug),
      )
      if (!found) throw productNotFound()
      const summary = summaryOf(found.counts)
      const items = found.reviews.map((row) => reviewResponse(row, publicUrl))
      const body: z.input<typeof ReviewList> = { items, total: summary.count, page, perPage, summary }
      return sendPublicJson(reply, JSON.stringify(body), keysOf(found.slug))
    },
  })
}

/** The public form of a stored review, with absolute addresses of pictures on this server. */
export function reviewResponse({ fit, ...row }: ReviewRow, publicUrl: string): Review {
  return {
    ...row,
    createdAt: new Date(row.createdAt).toISOString(),
    ...(fit !== null && { fit }),
    photos: row.photos.map(({ url, alt }) => ({ url: absoluteUrl(url, publicUrl), alt })),
  }
}
