import { member } from '../../parts/json.ts'
import type { Money } from '../../parts/money.ts'
import type { Order, TimelineStep } from './orders-queries.ts'

/** Which actions the console offers for an order. The orders service checks each of them again (docs/orders.md). */
export interface OrderSteps {
  ship: boolean
  deliver: boolean
  cancel: boolean
  track: boolean
  /** No payment was received yet. */
  recordPayment: boolean
  /** A payment was received, but the order is not paid: the amount is not the total, or goods were out of stock. */
  acceptPayment: boolean
  refund: boolean
  /** The shop issues an invoice once a payment was received. */
  invoice: boolean
}

const RECEIVED: ReadonlySet<Order['payment']['status']> = new Set(['captured', 'partially_refunded', 'refunded'])

/** Whether the order can still be shipped or canceled. */
export function isOpen({ status }: Pick<Order, 'status'>): boolean {
  return status === 'placed' || status === 'paid'
}

/** @param left the amount that may still be refunded */
export function stepsOf({ status, payment }: Order, left: Money): OrderSteps {
  const isReceived = RECEIVED.has(payment.status)
  return {
    ship: isOpen({ status }),
    deliver: status === 'fulfilled',
    cancel: isOpen({ status }),
    track: status !== 'cancelled',
    recordPayment: !isReceived && status !== 'cancelled',
    acceptPayment: isReceived && status === 'placed',
    refund: isReceived && left.amount > 0,
    invoice: isReceived,
  }
}

/**
 * The amount that may still be refunded: the amount received, without what was refunded or is on its way back.
 * @param steps the order's timeline, which has the amount received when it differs from the total
 */
export function refundableAmount(order: Order, steps: readonly TimelineStep[] = []): Money {
  if (!RECEIVED.has(order.payment.status)) return { amount: 0, currency: order.total.currency }
  const received = receivedIn(steps) ?? order.total
  const pending = order.refunds
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { amount }) => sum + amount.amount, 0)
  return { ...received, amount: Math.max(0, received.amount - order.refundedTotal.amount - pending) }
}

export function receivedIn(steps: readonly TimelineStep[]): Money | undefined {
  const captured = steps.findLast(({ kind }) => kind === 'payment_captured')
  return captured && moneyIn(captured.detail, 'amount')
}

/** A member of the details of a timeline entry, if it is an amount. */
export function moneyIn(detail: TimelineStep['detail'], name: string): Money | undefined {
  const amount = member(detail[name], 'amount')
  const currency = member(detail[name], 'currency')
  return typeof amount === 'number' && typeof currency === 'string' ? { amount, currency } : undefined
}

/** Providers through which the shop refunds. The merchant pays every other payment back without the shop. */
const PROVIDERS: ReadonlySet<string> = new Set(['demo', 'stripe', 'razorpay'])

export function isByProvider({ payment }: Order): boolean {
  return PROVIDERS.has(payment.provider)
}
