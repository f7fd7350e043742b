import { z } from 'zod'
import type { App } from '@storefront/http'
import { HttpError } from '@storefront/service'
import type { OrdersContext } from '../context.ts'
import { applyPaymentUpdate } from '../payments/apply-payment-update.ts'
import { FormResult, resultOf, verifyAtProvider } from '../payments/verify-payment.ts'

/**
 * Where Razorpay's page sends the buyer with its signed result. A result that cannot be used changes nothing: the
 * webhook brings the payment as well.
 */
export function returnFromRazorpayRoute(app: App, context: OrdersContext): void {
  app.post('/pay/returned', {
    config: { access: 'public' },
    schema: { hide: true, querystring: z.object({ session: z.string().max(200).optional() }), body: FormResult },
    handler: async ({ query, body, log }, reply) => {
      try {
        const update = await verifyAtProvider(context, resultOf(body ?? {}))
        if (update) await applyPaymentUpdate(context, update)
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        log.warn({ err: error }, 'the result of a Razorpay page could not be used; the webhook reports the payment')
      }
      return reply.redirect(`../payments/done?session=${encodeURIComponent(query.session ?? '')}`, 303)
    },
  })
}
