import type { App } from '@storefront/http'
import { CheckoutResponse } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { IdempotencyHeaders } from '../idempotency/respond-once.ts'
import { respondToCheckout, CHECKOUT_ERRORS } from './respond-to-checkout.ts'
import { CheckoutSessionBody } from './checkout-body.ts'

/** The same as `POST /carts/:id/checkout`, with the cart in the body. */
export function beginCheckoutSessionRoute(app: App, context: OrdersContext): void {
  app.post('/checkout/sessions', {
    config: { access: 'public', errors: CHECKOUT_ERRORS },
    schema: {
      summary: 'Check out the cart that the body names',
      headers: IdempotencyHeaders,
      description: 'The same as `POST /carts/{id}/checkout`, with the cart in the body instead of the path.',
      body: CheckoutSessionBody,
      response: { 200: CheckoutResponse },
    },
    handler: (request, reply) => respondToCheckout(context, { request, reply }, request.body.cart_id, request.body),
  })
}
