import type { Evidence } from './evidence.ts'
import { ofKind } from './operation.ts'
import { isCaptured, type OrderRecord } from './order-record.ts'
import type { Violation } from './violation.ts'

/** Each payment at the provider has an order or a refund, never both; the payment of a canceled order has a refund. */
export function checkPayments({ operations, after, placed, lost }: Evidence): Violation[] {
  const orders = new Map(after.orders.filter(isCaptured).map((order) => [order.payment.reference, order]))
  const lostIds = new Set(lost.map(({ id }) => id))
  // The loss of the order is reported already.
  const isReported = new Set(
    ofKind(operations, 'read-checkout').flatMap(({ action, result }) =>
      lostIds.has(result?.orderId ?? '') ? [action.sessionId] : [],
    ),
  )
  return [
    ...after.payments.flatMap(({ id: subject, sessionId, isRefunded }): Violation[] => {
      const order = orders.get(subject)
      if (!order && !isRefunded && !isReported.has(sessionId)) {
        const message = `the provider has captured it for ${sessionId}, and no order has it`
        return [{ kind: 'payment without order or refund', subject, message }]
      }
      if (!order || !isRefunded || hasRefund(order)) return []
      const message = `the provider has refunded it, and the order ${order.id} is paid with it`
      return [{ kind: 'payment with order and refund', subject, message }]
    }),
    ...placed.filter(isKept).map(({ id: subject }): Violation => ({
      kind: 'payment without order or refund',
      subject,
      message: 'the order is canceled, and its payment was not refunded',
    })),
  ]
}

function isKept(order: OrderRecord): boolean {
  return order.status === 'cancelled' && order.payment.status === 'captured' && !hasRefund(order)
}

function hasRefund({ refunds }: OrderRecord): boolean {
  return refunds.some(({ status }) => status !== 'failed')
}
