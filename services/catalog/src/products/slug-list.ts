import { z } from 'zod'

const MAX_SLUG_LENGTH = 200

/** Slugs of products in a query string, joined by commas. */
export function slugList(maximum: number) {
  return z.string().max(maximum * (MAX_SLUG_LENGTH + 1))
}

export function slugsIn(text: string): string[] {
  return [...new Set(text.split(',').map((slug) => slug.trim()))].filter((slug) => slug !== '')
}
