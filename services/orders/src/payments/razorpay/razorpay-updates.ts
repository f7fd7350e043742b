import type { PaymentUpdate, ProviderUpdate, RefundUpdate } from '../provider.ts'
import { fromProviderAmount, type ProviderUnits } from '../provider-amount.ts'
import { RazorpayEvent, type RazorpayOrder, type RazorpayPayment, type RazorpayRefund } from './razorpay-shapes.ts'

export const RAZORPAY = 'razorpay'

/** As in ISO 4217. */
export const RAZORPAY_UNITS: ProviderUnits = {
  provider: RAZORPAY,
  zeroDecimal: new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')),
}

const PAYMENT_STATUS = new Map<string, PaymentUpdate['status']>([
  ['authorized', 'authorized'],
  ['captured', 'captured'],
  // Money that was captured and refunded since: its refunds have updates of their own.
  ['refunded', 'captured'],
  ['failed', 'failed'],
])

const REFUND_STATUS = new Map<string, RefundUpdate['status']>([
  ['pending', 'pending'],
  ['processed', 'succeeded'],
  ['failed', 'failed'],
])

/** Nothing for a payment that the buyer has only started. */
export function updateOfPayment(
  payment: RazorpayPayment,
  order?: Pick<RazorpayOrder, 'receipt' | 'notes'>,
): PaymentUpdate | undefined {
  const status = PAYMENT_STATUS.get(payment.status)
  if (status === undefined) return undefined
  return {
    kind: 'payment',
    provider: RAZORPAY,
    status,
    reference: payment.id,
    sessionId: order?.receipt ?? undefined,
    providerSession: payment.order_id ?? undefined,
    orderId: textOf(order?.notes['order_id']),
    amount: fromProviderAmount(payment.amount, payment.currency, RAZORPAY_UNITS),
    method: payment.method ?? undefined,
  }
}

export function updateOfRefund(refund: RazorpayRefund): RefundUpdate {
  return {
    kind: 'refund',
    provider: RAZORPAY,
    // An unknown status proves nothing.
    status: REFUND_STATUS.get(refund.status) ?? 'pending',
    reference: refund.id,
    refundId: textOf(refund.notes['refund_id']),
    paymentReference: refund.payment_id,
    amount: fromProviderAmount(refund.amount, refund.currency, RAZORPAY_UNITS),
  }
}

/** What an event means; nothing when it is about something else. @throws Error when it is not an event of Razorpay */
export function updateOfEvent(body: Buffer): ProviderUpdate | undefined {
  const { event, payload } = RazorpayEvent.parse(JSON.parse(body.toString('utf8')))
  const payment = payload.payment?.entity
  const refund = payload.refund?.entity
  switch (event) {
    case 'payment.authorized':
    case 'payment.captured':
    case 'payment.failed':
    case 'order.paid':
      return payment && updateOfPayment(payment, payload.order?.entity)
    case 'refund.created':
    case 'refund.processed':
    case 'refund.failed':
      return refund && updateOfRefund(refund)
    default:
      return undefined
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
