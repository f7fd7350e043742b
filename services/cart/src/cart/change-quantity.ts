import { z } from 'zod'
import type { App } from '@storefront/http'
import { Cart, MAX_LINE_QUANTITY } from '@storefront/contracts'
import type { PriceReading } from '../price-projection/read-prices.ts'
import type { CartContext } from '../context.ts'
import { lineNotFound } from '../errors.ts'
import { checkLimit, checkQuantity, soldEntry } from './add-line.ts'
import { LineParams } from './cart-params.ts'
import { changeCart } from './change-cart.ts'
import { ChangeHeaders, onceByKey } from './change-key.ts'
import { findLine, withQuantity, type StoredLine } from './stored-cart.ts'

const Body = z.object({
  quantity: z
    .int()
    .min(0)
    .meta({ maximum: MAX_LINE_QUANTITY })
    .describe('The new quantity of the line, not an amount to add; 0 removes the line.'),
})

export function changeQuantityRoute(app: App, context: CartContext): void {
  app.patch('/carts/:id/lines/:lineId', {
    config: {
      access: 'public',
      errors: [
        'cart_not_found',
        'conflict',
        'idempotency_mismatch',
        'insufficient_inventory',
        'line_not_found',
        'out_of_stock',
        'variant_not_found',
      ],
    },
    schema: {
      summary: 'Change the quantity of a line; 0 removes it',
      description: 'A larger quantity must be in stock; a smaller one is always accepted.',
      params: LineParams,
      headers: ChangeHeaders,
      body: Body,
      response: { 200: Cart },
    },
    handler: async (request, reply) => {
      const { actor, params, body } = request
      checkLimit(body.quantity)
      return changeCart(context, { cartId: params.id, actor, ...onceByKey(request, reply) }, [], (lines, projection) =>
        changeQuantity(lines, params.lineId, body.quantity, projection),
      )
    },
  })
}

function changeQuantity(
  lines: readonly StoredLine[],
  lineId: string,
  quantity: number,
  reading: PriceReading,
): StoredLine[] {
  const line = findLine(lines, lineId)
  if (!line) throw lineNotFound()
  if (quantity > line.quantity) checkQuantity(quantity, soldEntry(reading, line.variantId))
  return withQuantity(lines, line.id, quantity)
}
