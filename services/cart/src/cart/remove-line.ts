import type { App } from '@storefront/http'
import { Cart } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { lineNotFound } from '../errors.ts'
import { LineParams } from './cart-params.ts'
import { changeCart } from './change-cart.ts'
import { ChangeHeaders, onceByKey } from './change-key.ts'
import { findLine, withQuantity } from './stored-cart.ts'

export function removeLineRoute(app: App, context: CartContext): void {
  app.delete('/carts/:id/lines/:lineId', {
    config: { access: 'public', errors: ['cart_not_found', 'conflict', 'idempotency_mismatch', 'line_not_found'] },
    schema: {
      summary: 'Remove a line',
      description: 'Removes the line whatever its quantity, and replies with the updated cart.',
      params: LineParams,
      headers: ChangeHeaders,
      response: { 200: Cart },
    },
    handler: async (request, reply) => {
      const { actor, params } = request
      return changeCart(context, { cartId: params.id, actor, ...onceByKey(request, reply) }, [], (lines) => {
        const line = findLine(lines, params.lineId)
        if (!line) throw lineNotFound()
        return withQuantity(lines, line.id, 0)
      })
    },
  })
}
