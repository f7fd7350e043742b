import type { Tx } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { askForRefund } from './ask-for-refund.ts'
import { paymentStatusOf, type StoredRefund } from './refund.ts'
import { markRefundSettled, setRefunded } from './refunds.queries.ts'

/**
 * A refund that had succeeded came back, because the buyer's account is closed or his bank refused it: the money is here
 * again and owed. The order, which must be locked, stays what it has become, and its goods stay where they are.
 */
export async function takeBackRefund(tx: Tx, order: StoredOrder, refund: StoredRefund, now: Date): Promise<void> {
  const error = 'the provider took it back'
  await markRefundSettled(tx, { id: refund.id, status: 'failed', reference: null, error, at: now })
  if (!refund.ofDuplicate) {
    const refundedMinor = order.refundedMinor - refund.amountMinor
    const paymentStatus = paymentStatusOf(order.capturedMinor, refundedMinor)
    await setRefunded(tx, { id: order.id, refundedMinor, paymentStatus })
  }
  const detail = { refundId: refund.id, amount: refund.amountMinor, currency: refund.currency, why: error }
  await recordSteps(tx, [{ orderId: order.id, kind: 'refund_failed', detail }], now)
  await askForRefund(tx, order.id, now)
}
