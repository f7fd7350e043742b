import { z } from 'zod'

/** The maximum of a wishlist. */
export const MAX_SLUGS = 100
const MAX_SLUG_LENGTH = 200

/** Slugs of products in a query string, joined by commas. */
export const SlugList = z
  .string()
  .max(MAX_SLUGS * (MAX_SLUG_LENGTH + 1))
  .refine((text) => slugsIn(text).length <= MAX_SLUGS, `must not be more than ${MAX_SLUGS} slugs`)

export function slugsIn(text: string): string[] {
  return [...new Set(text.split(',').map((slug) => slug.trim()))].filter((slug) => slug !== '')
}
