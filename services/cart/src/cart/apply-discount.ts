import { z } from 'zod'
import type { App } from '@storefront/http'
import { Cart } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { normalizedCode } from '../discounts/discount.ts'
import { CartParams } from './cart-params.ts'
import { changeCart } from './change-cart.ts'

/** Longer than any code, so that a long pasted text is reported as an unknown code and not as an invalid request. */
const MAX_LENGTH = 1000

/** Sets the discount code of a cart in place of its current one. A code that is not valid changes nothing. */
export function applyDiscountRoute(app: App, context: CartContext): void {
  app.post('/carts/:id/discount', {
    config: { access: 'public', errors: ['cart_not_found', 'conflict', 'invalid_discount'] },
    schema: {
      summary: 'Set the discount code of the cart; an empty code removes it',
      description:
        'Replaces the code that the cart has: a cart has one code at a time. A code that is not valid for this ' +
        'cart changes nothing and is 422 `invalid_discount`, with the `reason` in `detail`.',
      params: CartParams,
      body: z.object({
        code: z
          .string()
          .max(MAX_LENGTH)
          .describe('In any case; surrounding white space is ignored. Empty to remove the code.'),
      }),
      response: { 200: Cart },
    },
    handler: async ({ actor, params, body }) =>
      changeCart(context, { cartId: params.id, actor }, [], (lines) => [...lines], normalizedCode(body.code) || null),
  })
}
