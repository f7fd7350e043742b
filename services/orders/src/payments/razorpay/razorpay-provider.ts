import { badSignature } from '../../errors.ts'
import { isSignedWith } from '../hex-signature.ts'
import {
  ProviderRejection,
  type MadeRefund,
  type PaymentUpdate,
  type PaymentProvider,
  type RefundToMake,
  type SessionToOpen,
  type SignedResult,
} from '../provider.ts'
import { toProviderAmount } from '../provider-amount.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import type { RazorpayApi } from './razorpay-api.ts'
import type { RazorpayKeyId } from './razorpay-key-id.ts'
import { updateOfEvent, updateOfPayment, updateOfRefund, RAZORPAY, RAZORPAY_UNITS } from './razorpay-updates.ts'
import { listOf, RazorpayOrder, RazorpayPayment, RazorpayRefund } from './razorpay-shapes.ts'
import { verifyRazorpayWebhook } from './razorpay-webhook.ts'

/** As many as Razorpay lists at once. */
const LISTED = 100

/**
 * Razorpay captures the payment itself, whatever the merchant has configured there: otherwise an authorized payment
 * would be returned to a buyer whose browser is gone. An authorization after the deadline is useless, and ends after
 * an hour.
 */
const AUTOMATIC_CAPTURE = {
  capture: 'automatic',
  capture_options: { automatic_expiry_period: 30, manual_expiry_period: 60, refund_speed: 'normal' },
} as const

/**
 * Razorpay: the storefront opens its form with an order that we create there, and returns the signed result of the
 * form. Over plain HTTP, because Razorpay's own library brings another HTTP client for eight calls, without deadlines
 * or size limits.
 */
export function razorpayProvider(options: {
  call: RazorpayApi
  keyId: RazorpayKeyId
  keySecret: ProviderSecret
  webhookSecret: ProviderSecret
  known: Promise<void>
}): PaymentProvider {
  const { call, keyId, keySecret, webhookSecret, known } = options
  const part = encodeURIComponent

  /** The oldest, so that every request picks the same one if there are two. */
  async function findOrder(sessionId: string): Promise<RazorpayOrder | undefined> {
    const path = `/orders?receipt=${part(sessionId)}&count=${LISTED}`
    const { items } = await call({ path, schema: listOf(RazorpayOrder) })
    return items
      .filter(({ receipt }) => receipt === sessionId)
      .toSorted((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1))[0]
  }

  async function findRefund({ id, paymentReference }: RefundToMake): Promise<RazorpayRefund | undefined> {
    const path = `/payments/${part(paymentReference)}/refunds?count=${LISTED}`
    const { items } = await call({ path, schema: listOf(RazorpayRefund) })
    return items.find(({ receipt, notes }) => receipt === id || notes['refund_id'] === id)
  }

  const readPayment = (id: string) => call({ path: `/payments/${part(id)}`, schema: RazorpayPayment })

  /** Captures an authorized payment when its amount is the order's total. */
  async function capture(payment: RazorpayPayment, order: RazorpayOrder): Promise<RazorpayPayment> {
    const { amount, currency } = payment
    if (payment.status !== 'authorized' || amount !== order.amount || currency !== order.currency) return payment
    try {
      return await call({
        path: `/payments/${part(payment.id)}/capture`,
        schema: RazorpayPayment,
        body: { amount, currency },
      })
    } catch (error) {
      // Another request may have captured it: then Razorpay rejects a second capture.
      if (error instanceof ProviderRejection) return readPayment(payment.id)
      throw error
    }
  }

  return {
    name: RAZORPAY,
    isConfigured: () => keySecret() !== undefined,

    async openSession(session: SessionToOpen) {
      const { id, orderId, total } = session
      const body = {
        amount: toProviderAmount(total, RAZORPAY_UNITS),
        currency: total.currency,
        receipt: id,
        notes: { session_id: id, order_id: orderId },
        payment: AUTOMATIC_CAPTURE,
      }
      // Razorpay makes a new order on each request: one whose response was lost is searched for first.
      const order = (await findOrder(id)) ?? (await call({ path: '/orders', schema: RazorpayOrder, body }))
      const key = await keyId.get()
      return { providerSession: order.id, url: undefined, ...(key === undefined ? {} : { keyId: key }) }
    },

    // An order at Razorpay can be paid as long as it exists. A late payment is handled when its update arrives.
    closeSession: () => Promise.resolve(),

    async inspectSession({ id, providerSession }) {
      const name = providerSession ?? (await findOrder(id))?.id
      if (name === undefined) return undefined
      const path = `/orders/${part(name)}/payments`
      const { items } = await call({ path, schema: listOf(RazorpayPayment) })
      const all = items.flatMap((payment) => updateOfPayment(payment) ?? [])
      // After a failed payment the buyer may try again, as long as the form is open.
      const update =
        all.find(({ status }) => status === 'captured') ?? all.find(({ status }) => status === 'authorized')
      return update && { ...update, sessionId: id, providerSession: name }
    },

    async refund(refund: RefundToMake): Promise<MadeRefund> {
      const { id, paymentReference, amount } = refund
      // It is not documented how long Razorpay remembers a request key. Its list of refunds is permanent.
      const made =
        (await findRefund(refund)) ??
        (await call({
          path: `/payments/${part(paymentReference)}/refund`,
          schema: RazorpayRefund,
          headers: { 'x-refund-idempotency': id },
          body: {
            amount: toProviderAmount(amount, RAZORPAY_UNITS),
            speed: 'normal',
            receipt: id,
            notes: { refund_id: id },
          },
        }))
      const { status, reference } = updateOfRefund(made)
      if (status === 'failed') throw new ProviderRejection(RAZORPAY, 'the refund failed')
      return { reference, status }
    },

    async inspectRefund(refund) {
      const found = await findRefund(refund)
      return found && { ...updateOfRefund(found), refundId: refund.id }
    },

    async verifyWebhook(webhook) {
      await known
      return verifyRazorpayWebhook(webhook, webhookSecret)
    },

    readWebhook: updateOfEvent,

    async verifyResult(result: SignedResult): Promise<PaymentUpdate | undefined> {
      await known
      const { providerSession, reference, signature } = result
      const content = `${providerSession}|${reference}`
      if (!isSignedWith(keySecret(), content, signature)) throw badSignature()
      const [payment, order] = await Promise.all([
        readPayment(reference),
        call({ path: `/orders/${part(providerSession)}`, schema: RazorpayOrder }),
      ])
      if (payment.order_id !== order.id) return undefined
      return updateOfPayment(await capture(payment, order), order)
    },
  }
}
