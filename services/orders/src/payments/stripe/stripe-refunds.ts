import { toProviderAmount } from '../provider-amount.ts'
import { ProviderRejection, type PaymentProvider, type RefundToMake } from '../provider.ts'
import { readable } from './readable.ts'
import type { StripeCall } from './stripe-client.ts'
import { StripeRefund } from './stripe-shapes.ts'
import { STRIPE, STRIPE_UNITS, updateOfRefund } from './stripe-updates.ts'

/** As many as Stripe lists at once. */
const LISTED = 100

/** Refunds at Stripe, which are found by their reference, or by our own id while they have none here. */
export function stripeRefunds(call: StripeCall): Pick<PaymentProvider, 'refund' | 'inspectRefund'> {
  async function findRefund(
    { id, paymentReference }: RefundToMake,
    reference: string | null,
  ): Promise<StripeRefund | undefined> {
    const list = await call((stripe) => stripe.refunds.list({ payment_intent: paymentReference, limit: LISTED }))
    const refunds = list.data.map((refund) => readable(StripeRefund, refund))
    // One that was made in the dashboard does not have our id.
    const named = refunds.find((refund) => refund.id === reference)
    return named ?? refunds.find(({ metadata }) => metadata['refund_id'] === id)
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
      const made = (await findRefund(refund, null)) ?? (await createRefund(refund))
      const status = updateOfRefund(made)?.status ?? 'pending'
      if (status === 'failed') throw new ProviderRejection(STRIPE, 'the refund failed')
      return { reference: made.id, status }
    },

    async inspectRefund(refund) {
      const found = await findRefund(refund, refund.reference)
      return found && updateOfRefund(found)
    },
  }
}
