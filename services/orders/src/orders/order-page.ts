import { z } from 'zod'
import { clampedInteger } from '@storefront/contracts'

/**
 * The parameters for reading a list of orders page by page.
 * @param perPage.default orders on a page when the request does not say
 * @param perPage.max orders on a page at most: more is clamped
 */
export function orderPageQuery(perPage: { default: number; max: number }) {
  return z.object({
    page: clampedInteger({ default: 1, min: 1, max: 1_000_000 }).describe('Starts at 1.'),
    per_page: clampedInteger({ ...perPage, min: 1 }).describe(
      `Orders on a page: ${perPage.default} if omitted, ${perPage.max} at most.`,
    ),
  })
}

/** The place of a page in its list of orders, for the reply. */
export const OrderPageFields = z.object({
  page: z.int().positive().describe('Number of this page, starting at 1.'),
  perPage: z.int().positive().describe('Orders on a full page.'),
})
