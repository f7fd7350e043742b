import { z } from 'zod'
import { snapshot } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { clampedInteger, Discount, listOf } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { discountResponse } from './discount.ts'
import { findDiscounts } from './discounts.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100

export function listDiscountsRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/discounts', {
    config: { access: { admin: 'discounts:write' } },
    schema: {
      summary: 'All discount codes, newest first',
      description: 'The list includes codes that are switched off, not yet valid or used up.',
      querystring: z.object({
        q: z.string().trim().max(200).optional().describe('Part of a code or of a label, in any case.'),
        page: clampedInteger({ default: 1, min: 1, max: 1_000_000 }).describe('Counted from 1.'),
        per_page: clampedInteger({ default: DEFAULT_PER_PAGE, min: 1, max: MAX_PER_PAGE }).describe(
          `Discounts per page: ${DEFAULT_PER_PAGE} if left out, ${MAX_PER_PAGE} at most.`,
        ),
      }),
      response: {
        200: listOf(Discount).extend({
          page: z.int().positive().describe('Number of this page, counted from 1.'),
          perPage: z.int().positive().describe('Discounts on a full page.'),
        }),
      },
    },
    handler: async ({ query: { q, page, per_page: perPage } }) => {
      const range = { limit: perPage, offset: (page - 1) * perPage }
      const { total, discounts } = await snapshot(db, (moment) => findDiscounts(moment, q || undefined, range))
      return { items: discounts.map(discountResponse), total, page, perPage }
    },
  })
}
