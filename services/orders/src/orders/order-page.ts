import { z } from 'zod'
import { clampedInteger } from '@storefront/contracts'

/**
 * The parameters by which a list of orders is read page by page.
 * @param perPage.default orders on a page when the request does not say
 * @param perPage.max orders on a page at most: more is clamped
 */
export function orderPageQuery(perPage: { default: number; max: number }) {
  return z.object({
    page: clampedInteger({ default: 1, min: 1, max: 1_000_000 }).describe('Counted from 1.'),
    per_page: clampedInteger({ ...perPage, min: 1 }).describe(
      `Orders on a page: ${perPage.default} if left out, ${perPage.max} at most.`,
    ),
  })
}

/** The place of a page in its list of orders, for the reply. */
export const OrderPlace = z.object({
  page: z.int().positive().describe('The page that this is, counted from 1.'),
  perPage: z.int().positive().describe('Orders on a full page.'),
})
