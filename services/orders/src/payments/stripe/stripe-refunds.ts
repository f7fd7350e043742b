import { toProviderAmount } from '../provider-amount.ts'
import { ProviderRejection, type PaymentProvider, type RefundToMake } from '../provider.ts'
import { readable } from './readable.ts'
import type { StripeCall } from './stripe-client.ts'
import { StripeRefund } from './stripe-shapes.ts'
import { STRIPE, STRIPE_UNITS, updateOfRefund } from './stripe-updates.ts'

/** As many as Stripe lists at once. */
const LISTED = 100

/** Refunds at Stripe, which are found by our own id. */
export function stripeRefunds(call: StripeCall): Pick<PaymentProvider, 'refund' | 'inspectRefund'> {
  async function findRefund({ id, paymentReference }: RefundToMake): Promise<StripeRefund | undefined> {
    const list = await call((stripe) => stripe.refunds.list({ payment_intent: paymentReference, limit: LISTED }))
    return list.data
      .map((refund) => readable(StripeRefund, refund))
      .find(({ metadata }) => metadata['refund_id'] === id)
  }

  async function createRefund({ id, paymentReference, amount }: RefundToMake): Promise<StripeRefund> {
    const wanted = {
      payment_intent: paymentReference,
      amount: toProviderAmount(amount, STRIPE_UNITS),
      metadata: { refund_id: id },
    }
    return readable(StripeRefund, await call((stripe) => stripe.refunds.create(wanted, { idempotencyKey: id })))
  }

  return {
    async refund(refund) {
      // Stripe remembers a key for a day; a refund may be retried for longer.
      const made = (await findRefund(refund)) ?? (await createRefund(refund))
      const status = updateOfRefund(made)?.status ?? 'pending'
      if (status === 'failed') throw new ProviderRejection(STRIPE, 'the refund failed')
      return { reference: made.id, status }
    },

    async inspectRefund(refund) {
      const found = await findRefund(refund)
      return found && updateOfRefund(found)
    },
  }
}
