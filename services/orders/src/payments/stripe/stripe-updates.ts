import type { Money } from '@storefront/contracts'
import type { PaymentUpdate, ProviderUpdate, RefundUpdate } from '../provider.ts'
import { fromProviderAmount, type ProviderUnits } from '../provider-amount.ts'
import { StripeCharge, StripeEvent, StripeIntent, StripeRefund, StripeSession } from './stripe-shapes.ts'

export const STRIPE = 'stripe'

/** Without ISK and UGX, which have no decimals but which Stripe counts in hundredths. */
export const STRIPE_UNITS: ProviderUnits = {
  provider: STRIPE,
  zeroDecimal: new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')),
}

const REFUND_STATUS = new Map<string, RefundUpdate['status']>([
  ['pending', 'pending'],
  ['requires_action', 'pending'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
])

export function updateOfSession(session: StripeSession, status: PaymentUpdate['status']): PaymentUpdate {
  const { payment_intent: intent, payment_method_types: methods } = session
  const intentId = typeof intent === 'string' ? intent : intent?.id
  return {
    kind: 'payment',
    provider: STRIPE,
    status,
    // A total of 0 creates no payment; the session is the proof then.
    reference: intentId ?? (status === 'captured' ? session.id : undefined),
    sessionId: session.client_reference_id ?? session.metadata['session_id'],
    providerSession: session.id,
    orderId: session.metadata['order_id'],
    amount: amountOf(session.amount_total, session.currency),
    method: methods.length === 1 ? methods[0] : undefined,
  }
}

export function isPaid({ payment_status: status }: StripeSession): boolean {
  return status === 'paid' || status === 'no_payment_required'
}

export function updateOfIntent(intent: StripeIntent, status: 'captured' | 'failed'): PaymentUpdate {
  return {
    kind: 'payment',
    provider: STRIPE,
    status,
    reference: intent.id,
    sessionId: intent.metadata['session_id'],
    providerSession: undefined,
    orderId: intent.metadata['order_id'],
    amount: amountOf(status === 'captured' ? intent.amount_received : intent.amount, intent.currency),
    method: undefined,
  }
}

/** Nothing for a refund of a payment that is not ours. */
export function updateOfRefund(refund: StripeRefund): RefundUpdate | undefined {
  const { payment_intent: intent } = refund
  const paymentReference = typeof intent === 'string' ? intent : intent?.id
  if (paymentReference === undefined) return undefined
  return {
    kind: 'refund',
    provider: STRIPE,
    // An unknown status proves nothing.
    status: REFUND_STATUS.get(refund.status ?? '') ?? 'pending',
    reference: refund.id,
    refundId: refund.metadata['refund_id'],
    paymentReference,
    amount: fromProviderAmount(refund.amount, refund.currency, STRIPE_UNITS),
  }
}

/** What an event means; nothing when it is about something else. @throws Error when it is not an event of Stripe */
export function updateOfEvent(body: Buffer): ProviderUpdate | undefined {
  const { type, data } = StripeEvent.parse(JSON.parse(body.toString('utf8')))
  switch (type) {
    case 'checkout.session.completed':
      // A payment that takes days has an event of its own later.
      return ofSession(data.object, isPaid(StripeSession.parse(data.object)) ? 'captured' : 'authorized')
    case 'checkout.session.async_payment_succeeded':
      return ofSession(data.object, 'captured')
    case 'checkout.session.async_payment_failed':
      return ofSession(data.object, 'failed')
    case 'checkout.session.expired':
      return ofSession(data.object, 'expired')
    case 'payment_intent.payment_failed': {
      const intent = StripeIntent.parse(data.object)
      return intent.metadata['session_id'] === undefined ? undefined : updateOfIntent(intent, 'failed')
    }
    case 'charge.refunded': {
      const [newest] = StripeCharge.parse(data.object).refunds?.data ?? []
      return newest === undefined ? undefined : updateOfRefund(StripeRefund.parse(newest))
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return updateOfRefund(StripeRefund.parse(data.object))
    default:
      return undefined
  }
}

function ofSession(object: unknown, status: PaymentUpdate['status']): PaymentUpdate | undefined {
  const session = StripeSession.parse(object)
  return isOurs(session) ? updateOfSession(session, status) : undefined
}

/** An account may serve more than this shop. */
function isOurs({ client_reference_id: reference, metadata }: StripeSession): boolean {
  return metadata['session_id'] !== undefined && (reference ?? metadata['session_id']) === metadata['session_id']
}

function amountOf(amount: number | null | undefined, currency: string | null | undefined): Money | undefined {
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined
  return fromProviderAmount(amount, currency, STRIPE_UNITS)
}
