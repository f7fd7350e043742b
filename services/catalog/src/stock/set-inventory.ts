import { z } from 'zod'
import type { App } from '@storefront/http'
import { Variant } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { tooMuchStock } from '../errors.ts'
import { commitWrite } from '../merchant/invalidate-caches.ts'
import { changeInventory, MAX_ON_HAND, VariantParams } from './change-inventory.ts'
import type { StockLevel } from './stock.queries.ts'

const SetInventory = z.object({
  quantity: z
    .int()
    .nonnegative()
    .max(MAX_ON_HAND)
    .describe('Units that can be bought; units that checkouts have reserved are not counted.'),
})

const SetVariant = Variant.extend({
  delta: z
    .int()
    .describe(
      'Units that were added for it, negative if taken: POST the opposite to undo it, and what is sold stays sold.',
    ),
}).meta({ id: 'SetVariant' })

/**
 * Sets how many units of a variant are available, after a count. Unlike adjustments, concurrent counts overwrite each
 * other.
 */
export function setInventoryRoute(app: App, context: CatalogContext): void {
  app.patch('/admin/variants/:id/inventory', {
    config: { access: { admin: 'inventory:write' }, errors: ['insufficient_inventory', 'variant_not_found'] },
    schema: {
      summary: 'Set how many units of a variant can be bought; reserved units stay reserved',
      description:
        'For a count of the shelf: of two requests at the same time, the last one wins. POST to the same address ' +
        'adds or takes units instead.',
      params: VariantParams,
      body: SetInventory,
      response: { 200: SetVariant },
    },
    handler: async ({ params, body, actor }, reply) => {
      const changed = await commitWrite(context, reply, (tx) =>
        changeInventory(
          tx,
          { variantId: params.id, kind: 'set', actor, decide: (stock) => deltaToSet(stock, body.quantity) },
          context,
        ),
      )
      return { ...changed.variant, delta: changed.delta }
    },
  })
}

/**
 * The change of the units on hand after which this many are available.
 * @throws HttpError `validation_failed` when, with the reserved units, that is too many
 */
function deltaToSet({ onHand, reserved }: StockLevel, quantity: number): number {
  const delta = quantity - (onHand - reserved)
  if (delta > 0 && onHand + delta > MAX_ON_HAND) throw tooMuchStock('quantity', MAX_ON_HAND)
  return delta
}
