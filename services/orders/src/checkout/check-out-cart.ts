import { z } from 'zod'
import type { App } from '@storefront/http'
import { CheckoutResponse } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { IdempotencyHeaders } from '../idempotency/respond-once.ts'
import { respondToCheckout, CHECKOUT_ERRORS } from './respond-to-checkout.ts'
import { CheckoutBody } from './checkout-body.ts'

/** Checks out a cart. Its buyer gets the same order again when the cart was already ordered. */
export function checkOutCartRoute(app: App, context: OrdersContext): void {
  app.post('/carts/:id/checkout', {
    config: { access: 'public', errors: CHECKOUT_ERRORS },
    schema: {
      summary: 'Check out the cart',
      description:
        'Prices the cart, reserves its goods, and replies by the checkout mode of the shop: with the order in `demo` and `api`, ' +
        "with the page where the buyer pays in `redirect`, and with the parameters of Razorpay's form in `razorpay`. A cart " +
        'that costs nothing, or was already ordered, gets its order.',
      headers: IdempotencyHeaders,
      params: z.object({ id: z.string().max(200).describe('The cart to check out, from `POST /carts`.') }),
      body: CheckoutBody.nullish(),
      response: { 200: CheckoutResponse },
    },
    handler: (request, reply) => respondToCheckout(context, { request, reply }, request.params.id, request.body),
  })
}
