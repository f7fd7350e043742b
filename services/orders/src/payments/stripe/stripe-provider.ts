import { readEmailAddress } from '@storefront/contracts'
import type { Clock } from '@storefront/service'
import type { Stripe } from 'stripe'
import {
  ProviderRejection,
  ProviderUnavailable,
  type MadeRefund,
  type PaymentProvider,
  type RefundToMake,
  type SessionToOpen,
} from '../provider.ts'
import { toProviderAmount } from '../provider-amount.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import type { StripeCall } from './stripe-client.ts'
import { stripeExpiries } from './stripe-expiry.ts'
import {
  isPaid,
  updateOfEvent,
  updateOfIntent,
  updateOfRefund,
  updateOfSession,
  STRIPE,
  STRIPE_UNITS,
} from './stripe-updates.ts'
import { StripeIntent, StripeRefund, StripeSession } from './stripe-shapes.ts'
import { verifyStripeWebhook } from './stripe-webhook.ts'

/** As many as Stripe lists at once. */
const LISTED = 100
const MAX_NAME = 250

/** Stripe: the buyer pays on a page of Stripe's own (Checkout), which we open for one order. */
export function stripeProvider(options: {
  call: StripeCall
  clock: Clock
  publicUrl: string
  secretKey: ProviderSecret
  webhookSecret: ProviderSecret
  known: Promise<void>
}): PaymentProvider {
  const { call, clock, publicUrl, secretKey, webhookSecret, known } = options

  function pageOf(session: SessionToOpen, expiresAt: number): Stripe.Checkout.SessionCreateParams {
    const { id, orderId, total, email, description, storeName, successUrl, cancelUrl } = session
    const metadata = { session_id: id, order_id: orderId }
    // Half of a surrogate pair, as a truncated emoji leaves behind, cannot be sent.
    const name = (description || storeName || 'Order').slice(0, MAX_NAME).toWellFormed()
    return {
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: total.currency.toLowerCase(),
            unit_amount: toProviderAmount(total, STRIPE_UNITS),
            product_data: { name },
          },
        },
      ],
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

  async function findRefund({ id, paymentReference }: RefundToMake): Promise<StripeRefund | undefined> {
    const list = await call((stripe) => stripe.refunds.list({ payment_intent: paymentReference, limit: LISTED }))
    return list.data
      .map((refund) => readable(StripeRefund, refund))
      .find(({ metadata }) => metadata['refund_id'] === id)
  }

  const retrieve = async (providerSession: string) =>
    readable(
      StripeSession,
      await call((stripe) => stripe.checkout.sessions.retrieve(providerSession, { expand: ['payment_intent'] })),
    )

  return {
    name: STRIPE,
    // Without the webhook the shop would not learn that the buyer has paid.
    isConfigured: () => secretKey() !== undefined && webhookSecret() !== undefined,

    async openSession(session: SessionToOpen) {
      const expiries = stripeExpiries(session.expiresAt, clock.now())
      for (const [index, expiresAt] of expiries.entries()) {
        try {
          const page = pageOf(session, expiresAt)
          const opened = await call((stripe) => stripe.checkout.sessions.create(page, { idempotencyKey: session.id }))
          const { id, url } = readable(StripeSession, opened)
          return { providerSession: id, url: url ?? undefined }
        } catch (error) {
          const isOther = error instanceof ProviderRejection && error.reason.startsWith('idempotency')
          if (!isOther || index === expiries.length - 1) throw error
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
      const hasFailed = typeof intent === 'object' && intent?.status === 'requires_payment_method'
      return hasFailed ? updateOfSession(session, 'failed') : undefined
    },

    async refund(refund: RefundToMake): Promise<MadeRefund> {
      const { id, paymentReference, amount } = refund
      // Stripe remembers a key for a day; a refund may be retried for longer.
      const made =
        (await findRefund(refund)) ??
        readable(
          StripeRefund,
          await call((stripe) =>
            stripe.refunds.create(
              {
                payment_intent: paymentReference,
                amount: toProviderAmount(amount, STRIPE_UNITS),
                metadata: { refund_id: id },
              },
              { idempotencyKey: id },
            ),
          ),
        )
      const status = updateOfRefund(made)?.status ?? 'pending'
      if (status === 'failed') throw new ProviderRejection(STRIPE, 'the refund failed')
      return { reference: made.id, status }
    },

    async inspectRefund(refund) {
      const found = await findRefund(refund)
      return found && updateOfRefund(found)
    },

    async verifyWebhook(webhook) {
      await known
      return verifyStripeWebhook(webhook, webhookSecret, clock.now())
    },

    readWebhook: updateOfEvent,
  }
}

/** A malformed response is ignored. */
function readable<Result>(schema: { parse(value: unknown): Result }, value: unknown): Result {
  try {
    return schema.parse(value)
  } catch (error) {
    throw new ProviderUnavailable(STRIPE, error)
  }
}
