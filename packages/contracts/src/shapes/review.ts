import { z } from 'zod'
import { declareReadOnly } from '../read-only-fields.ts'
import { FitFeedback } from './product-blocks.ts'
import { Picture, Slug, Timestamp } from './common.ts'
import { afterYearZero, Moment } from './moment.ts'

const FIT_RATINGS = ['small', 'true', 'large'] as const

export const Review = z
  .object({
    id: z.string().describe('Opaque; stays the same when the review is moderated.'),
    author: z.string().describe('Name that the author chose to show.'),
    rating: z.int().min(1).max(5).describe('Stars, 5 for the best.'),
    body: z.string().describe('Plain text; empty when only stars were given.'),
    createdAt: Timestamp.describe('When it was written. ISO 8601, UTC.'),
    verified: z.boolean().describe('Whether the author is known to have paid for the product.'),
    size: z.string().describe('Size that the author bought, as free text; empty when not given.'),
    height: z.string().describe('Height of the author as free text, such as `162 cm`; empty when not given.'),
    fit: z.enum(FIT_RATINGS).optional().describe('How the author finds the fit; absent when not given.'),
    photos: z.array(Picture).describe('Pictures of the author; empty for none.'),
  })
  .meta({ id: 'Review' })
export type Review = z.output<typeof Review>

export const ReviewSummary = z.object({
  average: z.number().describe('Mean of the stars with two decimals; 0 without reviews.'),
  count: z.int().nonnegative().describe('Published reviews in all.'),
  breakdown: z
    .array(
      z.object({
        stars: z.int().describe('From 1 to 5.'),
        count: z.int().nonnegative().describe('Published reviews with this number of stars.'),
      }),
    )
    .describe('One entry for each number of stars, from 5 down to 1.'),
  fit: FitFeedback.describe('How the product fits, in percent of the reviewers who rated the fit; all 0 if none did.'),
  withPhotos: z.int().nonnegative().describe('Published reviews that have a picture.'),
})
export type ReviewSummary = z.output<typeof ReviewSummary>

const sizeInput = z.string().max(50).default('').describe('Size that was bought, as free text.')
const heightInput = z.string().max(50).default('').describe('Height of the author as free text, with its unit.')

/** A review as an import contains it. */
export const ReviewInput = z.object({
  product: Slug.describe('Slug of the reviewed product, of the import or of the shop; may be a former one.'),
  author: z.string().min(1).max(200).describe('Name to show.'),
  rating: Review.shape.rating,
  body: z.string().max(10_000).default('').describe('Plain text of the review.'),
  createdAt: afterYearZero(Moment).optional().describe('When it was written; if left out, the time of the import.'),
  verified: z.boolean().default(false).describe('Whether the author is known to have bought the product.'),
  size: sizeInput,
  height: heightInput,
  fit: Review.shape.fit,
  photos: z.array(Picture).max(20).default([]).describe('Pictures to show with the review.'),
})
export type ReviewInput = z.output<typeof ReviewInput>

/** The status of a review: only a published one is shown and counted. */
export const REVIEW_STATUSES = ['pending', 'published', 'hidden'] as const
export const ReviewStatus = z.enum(REVIEW_STATUSES)
export type ReviewStatus = z.output<typeof ReviewStatus>

/** A review as a signed-in customer writes it. The service itself sets whether it is verified, and its time. */
export const ReviewSubmission = z.object({
  author: z
    .string()
    .max(100)
    .regex(/^\P{Cc}*$/u, 'must be a single line')
    .regex(/\S/, 'must not be blank')
    .describe('Name shown to everyone; need not be that of the account.'),
  rating: Review.shape.rating,
  body: z.string().max(5000).default('').describe('Plain text; may be left out.'),
  size: sizeInput,
  height: heightInput,
  fit: Review.shape.fit,
  photos: z
    .array(
      z.object({
        url: z
          .string()
          .max(2000)
          .refine(isSafePicture, 'must be a picture on this server or an https address')
          .describe('An https address, or a path below `/media/` on this server.'),
        alt: z.string().max(500).default('').describe('What the photo shows, as alternative text.'),
      }),
    )
    .max(10)
    .default([])
    .describe('Pictures that are already hosted: they cannot be uploaded here.'),
})
export type ReviewSubmission = z.output<typeof ReviewSubmission>

/** A review as its author gets it in the reply. */
export const SubmittedReview = Review.extend({
  status: ReviewStatus.describe('`pending` until a merchant publishes or hides it; only a published one is shown.'),
}).meta({ id: 'SubmittedReview' })
export type SubmittedReview = z.output<typeof SubmittedReview>

/** A review as merchants see it. */
export const AdminReview = SubmittedReview.extend({
  product: z
    .object({
      id: z.string().describe('For the routes below `/admin/products`.'),
      slug: z.string().describe('Current slug of its product page.'),
      title: z.string().describe('Its current title.'),
    })
    .describe('The product of the review.'),
  customerId: z.string().optional().describe('Account of the author; left out for an imported review.'),
}).meta({ id: 'AdminReview' })
export type AdminReview = z.output<typeof AdminReview>

/** A merchant's decision about a review. A record that is sent back whole may hold `pending` while the review is. */
export const ReviewModeration = z.object({
  status: ReviewStatus.describe('`published` shows and counts the review, `hidden` does neither.'),
})
declareReadOnly(ReviewModeration, {
  fixed: Object.keys(AdminReview.shape).filter((name) => name !== 'status' && name !== 'product'),
  // Its title and slug may have changed since.
  live: ['product'],
})

/**
 * Pictures that every visitor's browser will load: only pictures on this server and on https addresses are accepted.
 */
function isSafePicture(url: string): boolean {
  if (/^\/media\/[\w.-]+(?:\/[\w.-]+)*$/.test(url)) return !url.includes('..')
  if (!/^https:\/\/[^\s"'<>\\]+$/.test(url) || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username === '' && password === ''
}
