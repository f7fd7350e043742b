import { z } from 'zod'
import type { App } from '@storefront/http'
import { Variant } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { insufficientInventory, tooMuchStock } from '../errors.ts'
import { commitWrite } from '../merchant/invalidate-caches.ts'
import { changeInventory, MAX_ON_HAND, VariantParams } from './change-inventory.ts'
import type { StockLevel } from './stock.queries.ts'

const AdjustInventory = z.object({
  delta: z
    .int()
    .min(-MAX_ON_HAND)
    .max(MAX_ON_HAND)
    .refine((delta) => delta !== 0, 'must not be 0')
    .describe('Units to add; a negative number takes units, at most those that can be bought. Not 0.'),
  reason: z.string().max(500).optional().describe('Stored with the movement, visible only to merchants.'),
  operationId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Makes the request safe to repeat: for one variant, the same id counts once.'),
})

const AdjustedVariant = Variant.extend({
  replayed: z
    .literal(true)
    .optional()
    .describe('True when the `operationId` was already known and nothing was changed now; otherwise left out.'),
}).meta({ id: 'AdjustedVariant' })

/** Adds units to the stock of a variant or takes units from it. Concurrent changes add up. */
export function adjustInventoryRoute(app: App, context: CatalogContext): void {
  app.post('/admin/variants/:id/inventory', {
    config: { access: { admin: 'inventory:write' }, errors: ['insufficient_inventory', 'variant_not_found'] },
    schema: {
      summary: 'Add units to the stock of a variant, or take units from it',
      description:
        'Concurrent changes add up. Units that checkouts have reserved cannot be taken: that is 409 ' +
        '`insufficient_inventory`.',
      params: VariantParams,
      body: AdjustInventory,
      response: { 200: AdjustedVariant },
    },
    handler: async ({ params, body, actor }, reply) => {
      const { delta, reason, operationId } = body
      const changed = await commitWrite(context, reply, (tx) =>
        changeInventory(
          tx,
          {
            variantId: params.id,
            kind: 'adjusted',
            reason,
            operationId,
            actor,
            decide: (stock) => checkedDelta(stock, delta),
          },
          context,
        ),
      )
      return { ...changed.variant, ...(changed.replayed && { replayed: true as const }) }
    },
  })
}

/**
 * A delta that does not touch reserved units.
 * @throws HttpError `insufficient_inventory` when more is taken than can be bought, `validation_failed` when the result
 * is too large
 */
function checkedDelta({ onHand, reserved }: StockLevel, delta: number): number {
  const available = onHand - reserved
  if (available + delta < 0) throw insufficientInventory(available)
  if (delta > 0 && onHand + delta > MAX_ON_HAND) throw tooMuchStock('delta', MAX_ON_HAND)
  return delta
}
