import { z } from 'zod'
import { badCursor, cursorCodec, PerPage, perPageParameter, type App } from '@storefront/http'
import { snapshot } from '@storefront/postgres'
import { listOf, StockMovement } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { variantNotFound } from '../errors.ts'
import { VariantParams, type StockLevel } from './change-inventory.ts'
import { countMovements, findMovements, type LedgerRow } from './ledger.queries.ts'
import { findStock } from './stock.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100

/** The last movement of a page and the stock before it, so that no page has to add up the newer ones. */
const cursors = cursorCodec(z.tuple([z.string(), z.int().positive(), z.int32().nonnegative(), z.int32().nonnegative()]))

const MovementList = listOf(StockMovement).extend({
  perPage: PerPage,
  nextCursor: z.string().optional().describe('Send it as `cursor` for the next page; left out on the last.'),
})

/** The ledger of a variant, which outlives it. */
export function listMovementsRoute(app: App, { db }: { db: Database }): void {
  app.get(
    '/admin/variants/:id/movements',
    {
      config: { access: { admin: 'catalog:read' }, errors: ['variant_not_found'] },
      schema: {
        tags: ['Admin: catalog'],
        summary: 'Every change of the stock of a variant, newest first, with the stock after it',
        description:
          'The ledger of a variant: what merchants set and adjusted, what checkouts reserved and released, and what was ' +
          'sold and returned. It is kept after the variant is deleted.',
        params: VariantParams,
        querystring: z.object({
          cursor: z.string().optional().describe('`nextCursor` of the previous page, of the same variant.'),
          per_page: perPageParameter({ default: DEFAULT_PER_PAGE, max: MAX_PER_PAGE }),
        }),
        response: { 200: MovementList },
      },
    },
    async ({ params: { id: variantId }, query: { cursor, per_page: perPage } }) => {
      const from = cursor === undefined ? undefined : decodeCursor(cursor, variantId)
      const { stock, total, rows } = await snapshot(db, async (moment) => ({
        stock: await findStock(moment, variantId),
        total: await countMovements(moment, variantId),
        rows: await findMovements(moment, variantId, { beforeId: from?.id, limit: perPage + 1 }),
      }))
      if (!stock) throw variantNotFound()
      const page = rows.slice(0, perPage)
      const { items, before } = withBalances(page, from ?? stock)
      const last = page.at(-1)
      const hasMore = rows.length > page.length && last
      return { items, total, perPage, ...(hasMore && { nextCursor: encodeCursor(variantId, last.id, before) }) }
    },
  )
}

/**
 * Adds the stock after each movement.
 * @param rows newest first
 * @param after the stock after the first of them
 * @returns also the stock before the last of them
 */
function withBalances(rows: readonly LedgerRow[], after: StockLevel): { items: StockMovement[]; before: StockLevel } {
  let { onHand, reserved } = after
  const items = rows.map(({ variantId: _variantId, at, reference, ...row }) => {
    const byMerchant = row.kind === 'set' || row.kind === 'adjusted'
    const item = {
      ...row,
      at: at.toISOString(),
      reason: byMerchant ? reference : null,
      reference: byMerchant ? null : reference,
      after: { onHand, reserved, inventory: onHand - reserved },
    }
    onHand -= row.onHandDelta
    reserved -= row.reservedDelta
    return item
  })
  return { items, before: { onHand, reserved } }
}

function encodeCursor(variantId: string, id: number, { onHand, reserved }: StockLevel): string {
  return cursors.encode([variantId, id, onHand, reserved])
}

/** @throws HttpError `validation_failed` when it is not a cursor, or one of another variant */
function decodeCursor(text: string, variantId: string): StockLevel & { id: number } {
  const [ofVariant, id, onHand, reserved] = cursors.decode(text)
  if (ofVariant !== variantId) throw badCursor('is a cursor of another variant')
  return { id, onHand, reserved }
}
