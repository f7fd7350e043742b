import { badSignature } from '../../errors.ts'
import { isSignedWith } from '../hex-signature.ts'
import {
  ProviderRefusal,
  type MadeRefund,
  type PaymentNews,
  type PaymentProvider,
  type RefundToMake,
  type SessionToOpen,
  type SignedResult,
} from '../provider.ts'
import { toProviderAmount } from '../provider-amount.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import type { RazorpayApi } from './razorpay-api.ts'
import type { RazorpayKeyId } from './razorpay-key-id.ts'
import { newsOfEvent, newsOfPayment, newsOfRefund, RAZORPAY, RAZORPAY_UNITS } from './razorpay-news.ts'
import { listOf, RazorpayOrder, RazorpayPayment, RazorpayRefund } from './razorpay-shapes.ts'
import { verifyRazorpayWebhook } from './razorpay-webhook.ts'

/** As many as Razorpay lists at once. */
const LISTED = 100

/**
 * The money is taken by Razorpay itself, whatever the merchant has set up there: what is only promised goes back to a buyer
 * whose browser is gone. A promise that the bank makes later than the time to pay is of no use, and ends after an hour.
 */
const TAKEN_AT_ONCE = {
  capture: 'automatic',
  capture_options: { automatic_expiry_period: 30, manual_expiry_period: 60, refund_speed: 'normal' },
} as const

/**
 * Razorpay: the storefront opens its form with an order that we made there, and hands back what the form signed. Over plain
 * HTTP, because its own library brings another HTTP client for the sake of eight calls, without deadline or bounds.
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

  /** The oldest, so that everybody means the same one should there ever be two. */
  async function findOrder(sessionId: string): Promise<RazorpayOrder | undefined> {
    const path = `/orders?receipt=${part(sessionId)}&count=${LISTED}`
    const { items } = await call({ path, answer: listOf(RazorpayOrder) })
    return items
      .filter(({ receipt }) => receipt === sessionId)
      .toSorted((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1))[0]
  }

  async function findRefund({ id, paymentReference }: RefundToMake): Promise<RazorpayRefund | undefined> {
    const path = `/payments/${part(paymentReference)}/refunds?count=${LISTED}`
    const { items } = await call({ path, answer: listOf(RazorpayRefund) })
    return items.find(({ receipt, notes }) => receipt === id || notes['refund_id'] === id)
  }

  const readPayment = (id: string) => call({ path: `/payments/${part(id)}`, answer: RazorpayPayment })

  /** Takes the money of a payment that is only promised, when it is what the order costs. */
  async function capture(payment: RazorpayPayment, order: RazorpayOrder): Promise<RazorpayPayment> {
    const { amount, currency } = payment
    if (payment.status !== 'authorized' || amount !== order.amount || currency !== order.currency) return payment
    try {
      return await call({
        path: `/payments/${part(payment.id)}/capture`,
        answer: RazorpayPayment,
        body: { amount, currency },
      })
    } catch (error) {
      // Somebody beside us may have taken it: then it is refused a second time.
      if (error instanceof ProviderRefusal) return readPayment(payment.id)
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
        payment: TAKEN_AT_ONCE,
      }
      // Razorpay makes a new order each time it is asked: the one whose answer was lost is looked for first.
      const order = (await findOrder(id)) ?? (await call({ path: '/orders', answer: RazorpayOrder, body }))
      const key = await keyId.get()
      return { providerSession: order.id, url: undefined, ...(key === undefined ? {} : { keyId: key }) }
    },

    // An order at Razorpay can be paid for as long as it is there. What comes late finds its own way.
    closeSession: () => Promise.resolve(),

    async inspectSession({ id, providerSession }) {
      const name = providerSession ?? (await findOrder(id))?.id
      if (name === undefined) return undefined
      const path = `/orders/${part(name)}/payments`
      const { items } = await call({ path, answer: listOf(RazorpayPayment) })
      const all = items.flatMap((payment) => newsOfPayment(payment) ?? [])
      // After a payment that failed the buyer may try again, as long as the form is open.
      const news = all.find(({ status }) => status === 'captured') ?? all.find(({ status }) => status === 'authorized')
      return news && { ...news, sessionId: id, providerSession: name }
    },

    async refund(refund: RefundToMake): Promise<MadeRefund> {
      const { id, paymentReference, amount } = refund
      // Nobody says how long Razorpay remembers the key of a request. Its list it keeps.
      const made =
        (await findRefund(refund)) ??
        (await call({
          path: `/payments/${part(paymentReference)}/refund`,
          answer: RazorpayRefund,
          headers: { 'x-refund-idempotency': id },
          body: {
            amount: toProviderAmount(amount, RAZORPAY_UNITS),
            speed: 'normal',
            receipt: id,
            notes: { refund_id: id },
          },
        }))
      const { status, reference } = newsOfRefund(made)
      if (status === 'failed') throw new ProviderRefusal(RAZORPAY, 'the refund failed')
      return { reference, status }
    },

    async inspectRefund(refund) {
      const found = await findRefund(refund)
      return found && { ...newsOfRefund(found), refundId: refund.id }
    },

    async verifyWebhook(webhook) {
      await known
      return verifyRazorpayWebhook(webhook, webhookSecret)
    },

    readWebhook: newsOfEvent,

    async verifyResult(result: SignedResult): Promise<PaymentNews | undefined> {
      await known
      const { providerSession, reference, signature } = result
      const content = `${providerSession}|${reference}`
      if (!isSignedWith(keySecret(), content, signature)) throw badSignature()
      const [payment, order] = await Promise.all([
        readPayment(reference),
        call({ path: `/orders/${part(providerSession)}`, answer: RazorpayOrder }),
      ])
      if (payment.order_id !== order.id) return undefined
      return newsOfPayment(await capture(payment, order), order)
    },
  }
}
