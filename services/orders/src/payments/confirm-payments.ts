import { publishAll } from '@storefront/messaging'
import { newId, ORDER_STATUSES, OrderPaid, type OrderAttention, type PaymentStatus } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import { countOrderEvent } from '../orders/order-metrics.ts'
import { orderEventDataOfAll } from '../orders/order-event-data.ts'
import { lockOrders, markAttention, markCaptured } from '../orders/orders.queries.ts'
import { mayBecome } from '../orders/transitions.ts'
import { recordSteps, type Step } from '../timeline/timeline.queries.ts'
import { queueRefunds, recordCaptures, type CapturedPayment, type RefundToQueue } from './payments.queries.ts'
import { isPaymentProvider } from './providers.ts'

const PAID_FROM = ORDER_STATUSES.filter((status) => mayBecome(status, 'paid'))

/**
 * The payment statuses of orders whose money was received. The amount does not show it: it is 0 for an order that a
 * discount pays.
 */
const HAS_MONEY: ReadonlySet<PaymentStatus> = new Set(['captured', 'partially_refunded', 'refunded'])

export function hasMoney({ payment }: Pick<StoredOrder, 'payment'>): boolean {
  return HAS_MONEY.has(payment.status)
}

/** All effects of one payment on one order. */
interface Consequences {
  capture?: CapturedPayment
  attention?: OrderAttention
  refund?: RefundToQueue
  isPaid: boolean
  steps: Step[]
}

/**
 * Records payments of placed orders: the only way in which an order becomes paid, whatever the source of the update.
 * Repeated updates change nothing, and no money is lost: a payment for a canceled order, a second payment, or one for
 * another cart with the same goods is refunded; a payment of another amount than the order's total is kept and shown to
 * the merchant.
 * @returns the ids of the orders that became paid by this
 */
export async function confirmPayments(
  tx: Tx,
  payments: readonly CapturedPayment[],
  now: Date,
  actor?: string,
): Promise<string[]> {
  const orderIds = payments.map(({ orderId }) => orderId)
  const orders = new Map((await lockOrders(tx, orderIds)).map((order) => [order.id, order]))
  const known = payments.filter((payment) => orders.has(payment.orderId))
  const fresh = await recordCaptures(tx, known, now)
  const all = known.flatMap((payment) => {
    const order = orders.get(payment.orderId)
    // Deleted, because the same payment may be in the batch twice.
    if (!order || !fresh.delete(`${payment.provider} ${payment.reference}`)) return []
    const consequences = consequencesOf(order, payment, actor)
    // A second payment of the same order may be in the same batch.
    if (consequences.capture) orders.set(order.id, { ...order, payment: { ...order.payment, status: 'captured' } })
    return [{ order, ...consequences }]
  })
  await markCaptured(
    tx,
    all.flatMap(({ capture, attention }) => (capture ? [{ ...capture, attention: attention ?? null }] : [])),
    PAID_FROM,
  )
  await markAttention(
    tx,
    all.flatMap(({ order, capture, attention }) => (attention && !capture ? [order.id] : [])),
    'refund_due',
  )
  await queueRefunds(
    tx,
    all.flatMap(({ refund }) => refund ?? []),
    now,
  )
  await recordSteps(
    tx,
    all.flatMap(({ steps }) => steps),
    now,
  )
  const paid = all.flatMap(({ order, capture, isPaid }) => (capture && isPaid ? [paidBy(order, capture)] : []))
  await publishAll(tx, OrderPaid, await orderEventDataOfAll(tx, paid), now)
  countOrderEvent(tx, 'paid', paid.length)
  return paid.map(({ id }) => id)
}

/**
 * How `markCaptured` leaves an order that becomes paid. It was locked and read before, so it need not be read again.
 */
function paidBy(order: StoredOrder, { provider, method, reference, amountMinor }: CapturedPayment): StoredOrder {
  const payment = { provider, status: 'captured' as const, method, reference }
  return { ...order, status: 'paid', payment, capturedMinor: amountMinor }
}

/** Decides what one payment means for its order. */
function consequencesOf(order: StoredOrder, payment: CapturedPayment, actor?: string): Consequences {
  const { provider, reference, amountMinor, currency } = payment
  const stepOf = (kind: Step['kind'], detail: Record<string, unknown> = {}): Step => ({
    orderId: order.id,
    kind,
    actor,
    detail,
  })
  const money = { provider, reference, amount: amountMinor, currency }
  const refundOf = (reason: string, ofDuplicate: boolean): { refund?: RefundToQueue } =>
    // A payment taken by hand is refunded by hand, and a payment of 0 needs no refund.
    isPaymentProvider(provider) && amountMinor > 0
      ? {
          refund: {
            id: newId('refund'),
            orderId: order.id,
            provider,
            paymentReference: reference,
            amountMinor,
            currency,
            reason,
            ofDuplicate,
          },
        }
      : {}
  if (hasMoney(order) || payment.isForOtherCart) {
    return {
      isPaid: false,
      attention: 'refund_due',
      steps: [stepOf('payment_duplicate', money)],
      ...refundOf('paid twice', true),
    }
  }
  if (order.status === 'cancelled') {
    return {
      capture: payment,
      isPaid: false,
      attention: 'refund_due',
      steps: [stepOf('payment_captured', money)],
      ...refundOf('paid after it was canceled', false),
    }
  }
  if (amountMinor !== order.document.total.amount || currency !== order.document.total.currency) {
    return { capture: payment, isPaid: false, attention: 'amount_mismatch', steps: [stepOf('payment_captured', money)] }
  }
  const isPaid = PAID_FROM.includes(order.status)
  return { capture: payment, isPaid, steps: [stepOf('payment_captured', money), ...(isPaid ? [stepOf('paid')] : [])] }
}
