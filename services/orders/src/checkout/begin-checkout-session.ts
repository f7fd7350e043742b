import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { CheckoutAnswer } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { IdempotencyHeaders } from '../idempotency/answer-once.ts'
import { answerCheckout, CHECKOUT_ERRORS } from './answer-checkout.ts'
import { CheckoutBody } from './checkout-body.ts'

/** The same as `POST /carts/:id/checkout`, with the cart in the body. */
export function beginCheckoutSessionRoute(app: App, context: OrdersContext): void {
  app.post(
    '/checkout/sessions',
    {
      config: { access: 'public', errors: CHECKOUT_ERRORS },
      schema: {
        tags: ['Checkout'],
        summary: 'Buy the cart that the body names',
        headers: IdempotencyHeaders,
        body: CheckoutBody.extend({ cart_id: z.string().min(1).max(200) }),
        response: { 200: CheckoutAnswer },
      },
    },
    (request, reply) => answerCheckout(context, { request, reply }, request.body.cart_id, request.body),
  )
}
