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
        headers: IdempotencyHeaders,
        params: z.object({ id: z.string().max(200) }),
        body: CheckoutBody.nullish(),
        response: { 200: CheckoutAnswer },
      },
    },
    (request, reply) => answerCheckout(context, { request, reply }, request.params.id, request.body),
  )
}
