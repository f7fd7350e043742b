import type { Tx } from '../database.ts'
import { unitsOf } from './refund-detail.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { clearRefundDue } from './clear-refund-due.ts'
import { countRefund } from './count-refund.ts'
import { lockOrder } from '../orders/orders.queries.ts'
import { flagRefundDue } from './flag-refund-due.ts'
import { findRefund, findRefundByReference, isExtraPaymentOwed, markRefundSettled } from './refunds.queries.ts'

export type RefundEnd =
  | { status: 'succeeded'; reference: string }
  | { status: 'failed'; reference: string | null; reason: string }

/**
 * Records the result of a pending refund, whatever its source; the first result counts, and all others change nothing.
 * @param options.isReported whether a failure is reported to the merchant who requested the refund; otherwise the order
 * is flagged
 */
export async function settleRefund(
  tx: Tx,
  refundId: string,
  end: RefundEnd,
  { now, actor, isReported }: { now: Date; actor?: string | undefined; isReported: boolean },
): Promise<void> {
  const orderId = (await findRefund(tx, refundId))?.orderId
  const order = orderId === undefined ? undefined : await lockOrder(tx, orderId)
  const refund = await findRefund(tx, refundId)
  if (!order || refund?.status !== 'pending') return
  const { status, reference } = end
  const named = reference === null ? undefined : await findRefundByReference(tx, refund.provider, reference)
  if (named && named.id !== refundId) {
    // A merchant recorded it by hand while it was pending: the same money is not counted twice.
    const error = `${refund.provider} reports it as ${reference}, which is recorded as ${named.id}`
    await markRefundSettled(tx, { id: refundId, status: 'failed', reference: null, error, at: now })
    // The other one could not clear the flag, because this one was pending.
    if (named.orderId === order.id && named.status === 'succeeded') await clearRefundDue(tx, order.id, { now, actor })
    return
  }
  const error = status === 'failed' ? end.reason : null
  await markRefundSettled(tx, { id: refundId, status, reference, error, at: now })
  if (status === 'succeeded') {
    await countRefund(tx, order, { ...refund, status, reference }, { now, actor })
    return
  }
  const { amountMinor: amount, currency, ofDuplicate } = refund
  const detail = {
    refundId,
    amount,
    currency,
    why: error,
    ...(ofDuplicate && { ofDuplicate }),
    ...unitsOf(order, refund),
  }
  await recordSteps(tx, [{ orderId: order.id, kind: 'refund_failed', actor, detail }], now)
  // It is no longer owed when the merchant made it in the provider's dashboard meanwhile. The order may have been
  // canceled without flagging the refund as owed, because it was pending.
  const isOwed = ofDuplicate ? await isExtraPaymentOwed(tx, order.id) : order.refundedMinor < order.capturedMinor
  if (!isOwed) await clearRefundDue(tx, order.id, { now, actor })
  else if (!isReported || order.status === 'cancelled') await flagRefundDue(tx, order.id, now)
}
