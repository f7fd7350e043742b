import { z } from 'zod'
import { declareReadOnly } from '../read-only-fields.ts'
import { FitFeedback } from './product.ts'
import { Picture, Slug, Timestamp } from './common.ts'

export const FIT_ANSWERS = ['small', 'true', 'large'] as const

export const Review = z
  .object({
    id: z.string(),
    author: z.string(),
    rating: z.int().min(1).max(5),
    body: z.string(),
    createdAt: Timestamp,
    verified: z.boolean(),
    size: z.string(),
    height: z.string(),
    fit: z.enum(FIT_ANSWERS).optional(),
    photos: z.array(Picture),
  })
  .meta({ id: 'Review' })
export type Review = z.output<typeof Review>

export const ReviewSummary = z.object({
  average: z.number(),
  count: z.int().nonnegative(),
  breakdown: z.array(z.object({ stars: z.int(), count: z.int().nonnegative() })),
  fit: FitFeedback,
  withPhotos: z.int().nonnegative(),
})
export type ReviewSummary = z.output<typeof ReviewSummary>

export const ReviewInput = z.object({
  product: Slug,
  author: z.string().min(1).max(200),
  rating: z.int().min(1).max(5),
  body: z.string().max(10_000).default(''),
  createdAt: z.iso.datetime().optional(),
  verified: z.boolean().default(false),
  size: z.string().max(50).default(''),
  height: z.string().max(50).default(''),
  fit: z.enum(FIT_ANSWERS).optional(),
  photos: z.array(Picture).max(20).default([]),
})
export type ReviewInput = z.output<typeof ReviewInput>

/** Where a review stands: only a published one is shown and counted. */
export const REVIEW_STATUSES = ['pending', 'published', 'hidden'] as const
export const ReviewStatus = z.enum(REVIEW_STATUSES)
export type ReviewStatus = z.output<typeof ReviewStatus>

/** A review as a signed-in customer writes it. Whether it is verified, and when it was written, we know ourselves. */
export const ReviewSubmission = z.object({
  author: z
    .string()
    .max(100)
    .regex(/^\P{Cc}*$/u, 'must stand on one line')
    .regex(/\S/, 'must not be blank'),
  rating: z.int().min(1).max(5),
  body: z.string().max(5000).default(''),
  size: z.string().max(50).default(''),
  height: z.string().max(50).default(''),
  fit: z.enum(FIT_ANSWERS).optional(),
  photos: z
    .array(
      z.object({
        url: z.string().max(2000).refine(isSafePicture, 'must be a picture on this server or an https address'),
        alt: z.string().max(500).default(''),
      }),
    )
    .max(10)
    .default([]),
})
export type ReviewSubmission = z.output<typeof ReviewSubmission>

/** A review as its author sees it in answer to the writing. */
export const SubmittedReview = Review.extend({ status: ReviewStatus }).meta({ id: 'SubmittedReview' })
export type SubmittedReview = z.output<typeof SubmittedReview>

/** A review as merchants see it. */
export const AdminReview = SubmittedReview.extend({
  product: z.object({ id: z.string(), slug: z.string(), title: z.string() }),
  /** Who wrote it; left out for one that was imported. */
  customerId: z.string().optional(),
}).meta({ id: 'AdminReview' })
export type AdminReview = z.output<typeof AdminReview>

/** What a merchant decides about a review. A record that is sent back whole may say `pending` of one that still is. */
export const ReviewModeration = z.object({ status: ReviewStatus })
declareReadOnly(ReviewModeration, {
  fixed: Object.keys(AdminReview.shape).filter((name) => name !== 'status' && name !== 'product'),
  // Its title and address may have changed since.
  live: ['product'],
})

/** What every visitor's browser is going to load: nothing but pictures of ours and what comes encrypted. */
function isSafePicture(url: string): boolean {
  if (/^\/media\/[\w.-]+(?:\/[\w.-]+)*$/.test(url)) return !url.includes('..')
  if (!/^https:\/\/[^\s"'<>\\]+$/.test(url) || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username === '' && password === ''
}
