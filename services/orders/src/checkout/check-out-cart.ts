import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { CheckoutAnswer } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { IdempotencyHeaders } from '../idempotency/answer-once.ts'
import { answerCheckout, CHECKOUT_ERRORS } from './answer-checkout.ts'
import { CheckoutBody } from './checkout-body.ts'

/** Buys a cart. A cart that was bought already answers the same order to whoever bought it. */
export function checkOutCartRoute(app: App, context: OrdersContext): void {
  app.post(
    '/carts/:id/checkout',
    {
      config: { access: 'public', errors: CHECKOUT_ERRORS },
      schema: {
        tags: ['Checkout'],
        summary: 'Buy the cart',
        description:
          'Prices the cart, holds its goods, and replies by the checkout mode of the shop: with the order in `demo` and `api`, ' +
          'with the page where the buyer pays in `redirect`, and with what the form of Razorpay needs in `razorpay`. A cart ' +
          'that costs nothing, or that was bought already, gets its order.',
        headers: IdempotencyHeaders,
        params: z.object({ id: z.string().max(200).describe('The cart to buy, from `POST /carts`.') }),
        body: CheckoutBody.nullish(),
        response: { 200: CheckoutAnswer },
      },
    },
    (request, reply) => answerCheckout(context, { request, reply }, request.params.id, request.body),
  )
}
