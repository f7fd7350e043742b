import { z } from 'zod'
import { cursorCodec, optionalFilter, pageFields, pageParameters, type App } from '@storefront/http'
import { inOptionOrder, listOf, LowStockVariant } from '@storefront/contracts'
import { snapshot } from '@storefront/postgres'
import type { Database } from '../database.ts'
import { LOW_STOCK_UNITS } from '../products/product.ts'
import { namesOf } from '../products/product-options.ts'
import { countLowStock, findLowStock, MAX_THRESHOLD, type LowStockRow } from './low-stock.queries.ts'

const MAX_COUNTED = 10_000

/** Not clamped, unlike page numbers, because with a lower threshold the list would silently lack variants. */
const Threshold = z
  .string()
  .regex(/^(?:\d{1,3}|1000)$/, 'must be an integer from 0 to 1000')
  .meta({ type: 'integer', minimum: 0, maximum: MAX_THRESHOLD })
  .transform(Number)
  .optional()
  .transform((units) => units ?? LOW_STOCK_UNITS)
  .describe(`The most units that can be bought of a listed variant, 0 to 1000: ${LOW_STOCK_UNITS} when left out.`)

const LowStockList = listOf(LowStockVariant).extend({
  ...pageFields,
  total: z.int().nonnegative().describe(`Number of variants in the list, counted up to ${MAX_COUNTED}.`),
  nextCursor: z.string().optional().describe('Send it as `cursor` to get the next page; missing on the last page.'),
})

/** The number of the page that starts here, and the last variant before it. */
const codec = cursorCodec(z.tuple([z.int().min(1).max(1_000_000_000), z.int32(), z.string().regex(/^[^\0]*$/)]))

/** Variants to restock, including those of drafts, which need goods before they are for sale. */
export function listLowStockRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/products/low-stock', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'Variants of which few units can be bought, fewest first',
      description:
        'Variants whose `inventory` is at most `threshold`, sold-out ones too; with equal stock by SKU. ' +
        'Units that checkouts have reserved do not count. Drafts are listed as well. A sale moves a variant in the list ' +
        'within a second. A page by `cursor` costs as little as the first, however far it is, while a high `page` takes ' +
        'longer.',
      querystring: z.object({
        threshold: Threshold,
        published: optionalFilter(z.enum(['true', 'false'])).describe(
          '`false` lists only variants of drafts, `true` only those of published products.',
        ),
        ...pageParameters(),
        cursor: z
          .string()
          .optional()
          .describe('`nextCursor` of the previous page, with the same filters; it replaces `page`.'),
      }),
      response: { 200: LowStockList },
    },
    handler: async ({ query: { threshold, published, cursor, per_page: perPage, ...query } }) => {
      const filter = { threshold, published: published === undefined ? undefined : published === 'true' }
      const from = cursor === undefined ? undefined : codec.decode(cursor)
      const page = from?.[0] ?? query.page
      const after = from && { listed: from[1], sku: from[2] }
      const range = { limit: perPage + 1, offset: after ? 0 : (page - 1) * perPage, after }
      const { rows, total } = await snapshot(db, async (moment) => ({
        rows: await findLowStock(moment, filter, range),
        total: await countLowStock(moment, filter, MAX_COUNTED),
      }))
      const shown = rows.slice(0, perPage)
      const last = rows.length > perPage ? shown.at(-1) : undefined
      const next = last && { nextCursor: codec.encode([page + 1, last.listed, last.sku]) }
      return { items: shown.map(responseOf), total, page, perPage, ...next }
    },
  })
}

function responseOf(row: LowStockRow): LowStockVariant {
  const { id, sku, options, optionList, product, onHand, reserved, inventory } = row
  return { id, sku, options: inOptionOrder(options, namesOf(optionList)), product, onHand, reserved, inventory }
}
