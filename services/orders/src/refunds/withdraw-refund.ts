import type { Tx } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { unitsOf } from './refund-detail.ts'
import { flagRefundDue } from './flag-refund-due.ts'
import { paymentStatusOf, type StoredRefund } from './refund.ts'
import { markRefundSettled, setRefunded } from './refunds.queries.ts'

/**
 * A successful refund was reversed, because the buyer's account is closed or the bank rejected it: the money is owed
 * again. The order, which must be locked, keeps its status, and its goods stay as they are.
 */
export async function withdrawRefund(tx: Tx, order: StoredOrder, refund: StoredRefund, now: Date): Promise<void> {
  const error = 'the provider reversed it'
  await markRefundSettled(tx, { id: refund.id, status: 'failed', reference: null, error, at: now })
  if (!refund.ofDuplicate) {
    const refundedMinor = order.refundedMinor - refund.amountMinor
    const paymentStatus = paymentStatusOf(order.capturedMinor, refundedMinor)
    await setRefunded(tx, { id: order.id, refundedMinor, paymentStatus })
  }
  const { id: refundId, amountMinor: amount, currency } = refund
  const detail = { refundId, amount, currency, why: error, ...unitsOf(order, refund) }
  await recordSteps(tx, [{ orderId: order.id, kind: 'refund_failed', detail }], now)
  await flagRefundDue(tx, order.id, now)
}
