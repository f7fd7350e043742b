import type { App } from '@storefront/http'
import { Cart } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { CartParams } from './cart-params.ts'
import { cartResponse, openCart } from './open-cart.ts'

export function getCartRoute(app: App, context: CartContext): void {
  app.get(
    '/carts/:id',
    {
      config: { access: 'public', errors: ['cart_not_found', 'conflict'] },
      schema: {
        tags: ['Cart'],
        summary: 'The cart, repriced',
        description:
          'Prices and totals are current, and a discount code that is no longer valid is removed. A guest cart ' +
          'that a signed-in customer opens becomes theirs, or is merged into the open cart they have.',
        params: CartParams,
        response: { 200: Cart },
      },
    },
    async ({ actor, params }) => cartResponse(context, await openCart(context, params.id, actor)),
  )
}
