import { toProviderAmount } from '../provider-amount.ts'
import type { PaymentProvider } from '../provider.ts'
import type { RazorpayApi } from './razorpay-api.ts'
import { LISTED, listOf, RazorpayOrder, RazorpayPayment } from './razorpay-shapes.ts'
import { RAZORPAY_UNITS, updateOfPayment } from './razorpay-updates.ts'

/**
 * Razorpay captures the payment itself, whatever the merchant has configured there: otherwise an authorized payment
 * would be returned to a buyer whose browser is gone. An authorization after the deadline is useless, and ends after
 * an hour.
 */
const AUTOMATIC_CAPTURE = {
  capture: 'automatic',
  capture_options: { automatic_expiry_period: 30, manual_expiry_period: 60, refund_speed: 'normal' },
} as const

/** Orders at Razorpay: each is a payment session of ours, whose id is its receipt. */
export function razorpayOrders(
  call: RazorpayApi,
): Pick<PaymentProvider, 'openSession' | 'closeSession' | 'inspectSession'> {
  /** The oldest, so that every request picks the same one if there are two. */
  async function findOrder(sessionId: string): Promise<RazorpayOrder | undefined> {
    const path = `/orders?receipt=${encodeURIComponent(sessionId)}&count=${LISTED}`
    const { items } = await call({ path, schema: listOf(RazorpayOrder) })
    return items
      .filter(({ receipt }) => receipt === sessionId)
      .toSorted((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1))[0]
  }

  return {
    async openSession({ id, orderId, total }) {
      const body = {
        amount: toProviderAmount(total, RAZORPAY_UNITS),
        currency: total.currency,
        receipt: id,
        notes: { session_id: id, order_id: orderId },
        payment: AUTOMATIC_CAPTURE,
      }
      // Razorpay makes a new order on each request: one whose response was lost is searched for first.
      const order = (await findOrder(id)) ?? (await call({ path: '/orders', schema: RazorpayOrder, body }))
      return { providerSession: order.id, url: undefined }
    },

    // An order at Razorpay can be paid as long as it exists. A late payment is handled when its update arrives.
    closeSession: () => Promise.resolve(),

    async inspectSession({ id, providerSession }) {
      const razorpayOrderId = providerSession ?? (await findOrder(id))?.id
      if (razorpayOrderId === undefined) return undefined
      const path = `/orders/${encodeURIComponent(razorpayOrderId)}/payments`
      const { items } = await call({ path, schema: listOf(RazorpayPayment) })
      const updates = items.flatMap((payment) => updateOfPayment(payment) ?? [])
      // After a failed payment the buyer may try again, as long as the form is open.
      const update =
        updates.find(({ status }) => status === 'captured') ?? updates.find(({ status }) => status === 'authorized')
      return update && { ...update, sessionId: id, providerSession: razorpayOrderId }
    },
  }
}
