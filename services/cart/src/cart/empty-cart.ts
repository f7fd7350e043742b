import type { App } from '@storefront/http'
import { Cart } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { CartParams } from './cart-params.ts'
import { changeCart } from './change-cart.ts'
import { ChangeHeaders, onceByKey } from './change-key.ts'

export function emptyCartRoute(app: App, context: CartContext): void {
  app.delete('/carts/:id/lines', {
    config: { access: 'public', errors: ['cart_not_found', 'conflict', 'idempotency_mismatch'] },
    schema: {
      summary: 'Empty the cart',
      description: 'Removes every line. The cart stays and keeps its id.',
      params: CartParams,
      headers: ChangeHeaders,
      response: { 200: Cart },
    },
    handler: async (request, reply) => {
      const { actor, params } = request
      return changeCart(context, { cartId: params.id, actor, ...onceByKey(request, reply) }, [], () => [])
    },
  })
}
