import { toProviderAmount } from '../provider-amount.ts'
import { ProviderRejection, type PaymentProvider, type RefundToMake } from '../provider.ts'
import type { RazorpayApi } from './razorpay-api.ts'
import { LISTED, listOf, RazorpayRefund } from './razorpay-shapes.ts'
import { RAZORPAY, RAZORPAY_UNITS, updateOfRefund } from './razorpay-updates.ts'

/** Refunds at Razorpay, which are found by their reference, or by our own id while they have none here. */
export function razorpayRefunds(call: RazorpayApi): Pick<PaymentProvider, 'refund' | 'inspectRefund'> {
  const pathOf = ({ paymentReference }: RefundToMake) => `/payments/${encodeURIComponent(paymentReference)}`

  async function findRefund(refund: RefundToMake, reference: string | null): Promise<RazorpayRefund | undefined> {
    const path = `${pathOf(refund)}/refunds?count=${LISTED}`
    const { items } = await call({ path, schema: listOf(RazorpayRefund) })
    // One that was made in the dashboard does not have our id.
    const named = items.find(({ id }) => id === reference)
    return named ?? items.find(({ receipt, notes }) => receipt === refund.id || notes['refund_id'] === refund.id)
  }

  async function createRefund(refund: RefundToMake): Promise<RazorpayRefund> {
    const { id, amount } = refund
    return call({
      path: `${pathOf(refund)}/refund`,
      schema: RazorpayRefund,
      headers: { 'x-refund-idempotency': id },
      body: {
        amount: toProviderAmount(amount, RAZORPAY_UNITS),
        speed: 'normal',
        receipt: id,
        notes: { refund_id: id },
      },
    })
  }

  return {
    async refund(refund) {
      // It is not documented how long Razorpay remembers a request key. Its list of refunds is permanent.
      const made = (await findRefund(refund, null)) ?? (await createRefund(refund))
      const { status, reference } = updateOfRefund(made)
      if (status === 'failed') throw new ProviderRejection(RAZORPAY, 'the refund failed')
      return { reference, status }
    },

    async inspectRefund(refund) {
      const found = await findRefund(refund, refund.reference)
      return found && { ...updateOfRefund(found), refundId: refund.id }
    },
  }
}
