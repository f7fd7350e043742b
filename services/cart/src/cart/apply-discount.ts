import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { Cart } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { normalizedCode } from '../discounts/discount.ts'
import { CartParams } from './cart-params.ts'
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
        description:
          'Takes the place of the code that the cart has: there is one code for each cart. A code that is not valid for this ' +
          'cart leaves it as it is and is 422 `invalid_discount`, with the `reason` in `detail`.',
        params: CartParams,
        body: z.object({
          code: z
            .string()
            .max(MAX_LENGTH)
            .describe('In any case; blanks around it do not count. Empty to remove the code.'),
        }),
        response: { 200: Cart },
      },
    },
    async ({ actor, params, body }) =>
      changeCart(context, { cartId: params.id, actor }, [], (lines) => [...lines], normalizedCode(body.code) || null),
  )
}
