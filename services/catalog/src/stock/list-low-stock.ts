import { z } from 'zod'
import { pageFields, pageParameters, type App } from '@storefront/http'
import { inOptionOrder, listOf, LowStockVariant } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { LOW_STOCK_UNITS } from '../products/product.ts'
import { namesOf } from '../products/product-options.ts'
import { findLowStock, type LowStockRow } from './stock.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100

/** Is not clamped, unlike the numbers of pages: under a lower threshold the list would silently lack variants. */
const Threshold = z
  .string()
  .regex(/^(?:\d{1,3}|1000)$/, 'must be an integer from 0 to 1000')
  .meta({ type: 'integer', minimum: 0, maximum: 1000 })
  .transform(Number)
  .optional()
  .transform((units) => units ?? LOW_STOCK_UNITS)
  .describe(`The most units that can be bought of a listed variant, 0 to 1000: ${LOW_STOCK_UNITS} when left out.`)

/** Variants to restock, of drafts too: what is not for sale yet needs goods as well. */
export function listLowStockRoute(app: App, { db }: { db: Database }): void {
  app.get(
    '/admin/products/low-stock',
    {
      config: { access: { admin: 'catalog:read' } },
      schema: {
        tags: ['Admin: catalog'],
        summary: 'Variants of which few units can be bought, fewest first',
        description:
          'Variants whose `inventory` is at most `threshold`, sold-out ones too; with equal stock by the slug of the ' +
          'product and the order of its variants. Units that checkouts have reserved do not count. Drafts are listed ' +
          'as well.',
        querystring: z.object({
          threshold: Threshold,
          published: z
            .enum(['true', 'false'])
            .optional()
            .describe('`false` lists only variants of drafts, `true` only those of published products.'),
          ...pageParameters({ default: DEFAULT_PER_PAGE, max: MAX_PER_PAGE }),
        }),
        response: { 200: listOf(LowStockVariant).extend(pageFields) },
      },
    },
    async ({ query: { threshold, published, page, per_page: perPage } }) => {
      const filter = { threshold, published: published === undefined ? undefined : published === 'true' }
      const { total, items } = await findLowStock(db, filter, { limit: perPage, offset: (page - 1) * perPage })
      return { items: items.map(responseOf), total, page, perPage }
    },
  )
}

function responseOf({ optionList, options, ...variant }: LowStockRow): LowStockVariant {
  return { ...variant, options: inOptionOrder(options, namesOf(optionList)) }
}
