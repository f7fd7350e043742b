import { z } from 'zod'
import { snapshot } from '@storefront/postgres'
import { pageFields, pageParameters, type App } from '@storefront/http'
import { Discount, listOf } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { discountResponse } from './discount.ts'
import { findDiscounts } from './discounts.queries.ts'

export function listDiscountsRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/discounts', {
    config: { access: { admin: 'discounts:write' } },
    schema: {
      summary: 'All discount codes, newest first',
      description: 'The list includes codes that are switched off, not yet valid or used up.',
      querystring: z.object({
        q: z.string().trim().max(200).optional().describe('Part of a code or of a label, in any case.'),
        ...pageParameters(),
      }),
      response: { 200: listOf(Discount).extend(pageFields) },
    },
    handler: async ({ query: { q, page, per_page: perPage } }) => {
      const range = { limit: perPage, offset: (page - 1) * perPage }
      const { total, discounts } = await snapshot(db, (moment) => findDiscounts(moment, q || undefined, range))
      return { items: discounts.map(discountResponse), total, page, perPage }
    },
  })
}
