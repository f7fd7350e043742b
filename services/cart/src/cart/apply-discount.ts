import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { Cart } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { normalizedCode } from '../discounts/discount.ts'
import { changeCart } from './change-cart.ts'

/** Longer than any code, so that what somebody pastes is told to be no code rather than a wrong request. */
const MAX_LENGTH = 1000

/** Puts a discount code on the cart in place of the one it has. A code that is not valid leaves the cart as it is. */
export function applyDiscountRoute(app: App, context: CartContext): void {
  app.post(
    '/carts/:id/discount',
    {
      config: { access: 'public', errors: ['cart_not_found', 'conflict', 'invalid_discount'] },
      schema: {
        tags: ['Cart'],
        summary: 'Put a discount code on the cart; an empty one takes it off',
        params: z.object({ id: z.string() }),
        body: z.object({ code: z.string().max(MAX_LENGTH) }),
        response: { 200: Cart },
      },
    },
    async ({ actor, params, body }) =>
      changeCart(context, { cartId: params.id, actor }, [], (lines) => [...lines], normalizedCode(body.code) || null),
  )
}
