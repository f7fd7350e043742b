import { z } from 'zod'
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
