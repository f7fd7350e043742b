import { z } from 'zod'
import { badCursor, cursorCodec, offsetOf, pageParameters, requestedPageFields, type App } from '@storefront/http'
import { snapshot } from '@storefront/postgres'
import { listOf, StockMovement } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { variantNotFound } from '../errors.ts'
import { VariantParams } from './change-inventory.ts'
import { countMovements, findMovements, type LedgerRow } from './ledger.queries.ts'
import { findStockLevels, type StockLevel } from './stock.queries.ts'

/** The last movement of a page and the stock before it, so that no page has to add up the newer ones. */
const codec = cursorCodec(z.tuple([z.string(), z.int().positive(), z.int32().nonnegative(), z.int32().nonnegative()]))

const MovementList = listOf(StockMovement).extend({
  ...requestedPageFields,
  nextCursor: z.string().optional().describe('Send it as `cursor` for the next page; left out on the last.'),
})

/** The ledger of a variant, which is kept after the variant is deleted. */
export function listMovementsRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/variants/:id/movements', {
    config: { access: { admin: 'catalog:read' }, errors: ['variant_not_found'] },
    schema: {
      summary: 'Every change of the stock of a variant, newest first, with the stock after it',
      description:
        'The ledger of a variant: what merchants set and adjusted, what checkouts reserved and released, and what was ' +
        'sold and returned. It is kept after the variant is deleted.',
      params: VariantParams,
      querystring: z.object({
        cursor: z
          .string()
          .optional()
          .describe('`nextCursor` of the previous page, of the same variant; it replaces `page`.'),
        ...pageParameters(),
      }),
      response: { 200: MovementList },
    },
    handler: async ({ params: { id: variantId }, query }) => {
      const { cursor, page, per_page: perPage } = query
      const from = cursor === undefined ? undefined : decodeCursor(cursor, variantId)
      const range = { beforeId: from?.id, limit: perPage + 1, offset: offsetOf(query, cursor) }
      const { stock, total, rows } = await snapshot(db, async (moment) => ({
        stock: (await findStockLevels(moment, [variantId]))[0],
        total: await countMovements(moment, variantId),
        rows: await findMovements(moment, variantId, range),
      }))
      if (!stock) throw variantNotFound()
      const items = rows.slice(0, perPage).map((row) => movementOf(row, from ?? stock))
      const last = rows.length > perPage ? items.at(-1) : undefined
      return { items, total, page, perPage, ...(last && { nextCursor: encodeCursor(variantId, last) }) }
    },
  })
}

/** @param first the stock after the first movement of the list, or at its cursor */
function movementOf(
  { variantId: _variantId, at, reference, newer, ...row }: LedgerRow,
  first: StockLevel,
): StockMovement {
  const byMerchant = row.kind === 'set' || row.kind === 'adjusted'
  const onHand = first.onHand - newer.onHand
  const reserved = first.reserved - newer.reserved
  return {
    ...row,
    at: at.toISOString(),
    reason: byMerchant ? reference : null,
    reference: byMerchant ? null : reference,
    after: { onHand, reserved, inventory: onHand - reserved },
  }
}

function encodeCursor(variantId: string, { id, after, onHandDelta, reservedDelta }: StockMovement): string {
  return codec.encode([variantId, id, after.onHand - onHandDelta, after.reserved - reservedDelta])
}

/** @throws HttpError `validation_failed` when it is not a cursor, or one of another variant */
function decodeCursor(text: string, variantId: string): StockLevel & { id: number } {
  const [ofVariant, id, onHand, reserved] = codec.decode(text)
  if (ofVariant !== variantId) throw badCursor('is a cursor of another variant')
  return { id, onHand, reserved }
}
