import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { Cart } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { cartAnswer, openCart } from './open-cart.ts'

export function getCartRoute(app: App, context: CartContext): void {
  app.get(
    '/carts/:id',
    {
      config: { access: 'public', errors: ['cart_not_found', 'conflict'] },
      schema: {
        tags: ['Cart'],
        summary: 'The cart, repriced',
        params: z.object({ id: z.string() }),
        response: { 200: Cart },
      },
    },
    async ({ actor, params }) => cartAnswer(context, await openCart(context, params.id, actor)),
  )
}
