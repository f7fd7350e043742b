import { readEmailAddress } from '@storefront/contracts'
import type { Clock } from '@storefront/service'
import type { Stripe } from 'stripe'
import { toProviderAmount } from '../provider-amount.ts'
import { ProviderRejection, type PaymentProvider, type SessionToOpen } from '../provider.ts'
import { readable } from './readable.ts'
import type { StripeCall } from './stripe-client.ts'
import { stripeExpiries } from './stripe-expiry.ts'
import { StripeIntent, StripeSession } from './stripe-shapes.ts'
import { isPaid, STRIPE, STRIPE_UNITS, updateOfIntent, updateOfSession } from './stripe-updates.ts'

const MAX_NAME_LENGTH = 250
/** The statuses of a payment that was begun and will not be made. */
const HAS_FAILED: ReadonlySet<string> = new Set(['canceled', 'requires_payment_method'])

/** Pages of Stripe (Checkout), each of which we open for one order. */
export function stripeSessions({
  call,
  clock,
  publicUrl,
}: {
  call: StripeCall
  clock: Clock
  publicUrl: string
}): Pick<PaymentProvider, 'openSession' | 'closeSession' | 'inspectSession'> {
  const retrieve = async (providerSession: string) =>
    readable(
      StripeSession,
      await call((stripe) => stripe.checkout.sessions.retrieve(providerSession, { expand: ['payment_intent'] })),
    )

  return {
    async openSession(session) {
      const expiries = stripeExpiries(session.expiresAt, clock.now())
      for (const [index, expiresAt] of expiries.entries()) {
        try {
          const page = pageOf(session, { expiresAt, publicUrl })
          const opened = await call((stripe) => stripe.checkout.sessions.create(page, { idempotencyKey: session.id }))
          const { id, url } = readable(StripeSession, opened)
          return { providerSession: id, url: url ?? undefined }
        } catch (error) {
          const hasOtherParameters = error instanceof ProviderRejection && error.reason.startsWith('idempotency')
          if (!hasOtherParameters || index === expiries.length - 1) throw error
        }
      }
      throw new ProviderRejection(STRIPE, 'the page was opened with other parameters')
    },

    async closeSession({ providerSession }) {
      try {
        await call((stripe) => stripe.checkout.sessions.expire(providerSession))
      } catch (error) {
        // A paid or expired session cannot be closed, and need not be.
        if (!(error instanceof ProviderRejection) || (await retrieve(providerSession)).status === 'open') throw error
      }
    },

    async inspectSession({ id, providerSession }) {
      if (providerSession === null) {
        // A session that was opened has its Stripe id stored: here only payments matter.
        const query = `metadata['session_id']:'${id}' AND status:'succeeded'`
        const found = await call((stripe) => stripe.paymentIntents.search({ query, limit: 1 }))
        const [intent] = found.data
        return intent && updateOfIntent(readable(StripeIntent, intent), 'captured')
      }
      const session = await retrieve(providerSession)
      if (session.status === 'expired') return updateOfSession(session, 'expired')
      if (session.status !== 'complete') return undefined
      if (isPaid(session)) return updateOfSession(session, 'captured')
      // Complete but not paid: either the payment takes days or it failed in the end.
      const { payment_intent: intent } = session
      const hasFailed = typeof intent === 'object' && HAS_FAILED.has(intent?.status ?? '')
      return updateOfSession(session, hasFailed ? 'failed' : 'authorized')
    },
  }
}

function pageOf(
  session: SessionToOpen,
  { expiresAt, publicUrl }: { expiresAt: number; publicUrl: string },
): Stripe.Checkout.SessionCreateParams {
  const { id, orderId, total, email, description, storeName, successUrl, cancelUrl } = session
  const metadata = { session_id: id, order_id: orderId }
  // Half of a surrogate pair, as a truncated emoji leaves behind, cannot be sent.
  const name = (description || storeName || 'Order').slice(0, MAX_NAME_LENGTH).toWellFormed()
  const price = {
    currency: total.currency.toLowerCase(),
    unit_amount: toProviderAmount(total, STRIPE_UNITS),
    product_data: { name },
  }
  return {
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: price }],
    client_reference_id: id,
    metadata,
    payment_intent_data: { metadata },
    // Otherwise Stripe may offer the buyer's own currency, and older versions of its API report that amount, which
    // differs from the order's total.
    adaptive_pricing: { enabled: false },
    customer_email: readEmailAddress(email)?.canonical ?? email,
    expires_at: expiresAt,
    success_url: successUrl ?? `${publicUrl}/payments/done?session=${id}`,
    ...(cancelUrl === undefined ? {} : { cancel_url: cancelUrl }),
  }
}
