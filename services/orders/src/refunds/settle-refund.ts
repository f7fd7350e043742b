import type { Tx } from '../database.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { countRefund } from './count-refund.ts'
import { lockOrder } from '../orders/orders.queries.ts'
import { askForRefund } from './ask-for-refund.ts'
import { findRefund, findRefundByReference, markRefundSettled } from './refunds.queries.ts'

export type RefundEnd =
  | { status: 'succeeded'; reference: string }
  | { status: 'failed'; reference: string | null; reason: string }

/**
 * Writes down what became of a pending refund, whoever brings the news; the first one counts, and all others change nothing.
 * @param options.isAnswered whether the person who asked for it hears of a failure at once; nobody else would look
 */
export async function settleRefund(
  tx: Tx,
  refundId: string,
  end: RefundEnd,
  { now, actor, isAnswered }: { now: Date; actor?: string | undefined; isAnswered: boolean },
): Promise<void> {
  const orderId = (await findRefund(tx, refundId))?.orderId
  const order = orderId === undefined ? undefined : await lockOrder(tx, orderId)
  const refund = await findRefund(tx, refundId)
  if (!order || refund?.status !== 'pending') return
  const { status, reference } = end
  const named = reference === null ? undefined : await findRefundByReference(tx, refund.provider, reference)
  if (named && named.id !== refundId) {
    // A merchant wrote it down by hand while it was on its way: the same money is not taken off twice.
    const error = `${refund.provider} calls it ${reference}, which is ${named.id}`
    await markRefundSettled(tx, { id: refundId, status: 'failed', reference: null, error, at: now })
    return
  }
  const error = status === 'failed' ? end.reason : null
  await markRefundSettled(tx, { id: refundId, status, reference, error, at: now })
  if (status === 'succeeded') {
    await countRefund(tx, order, { ...refund, status, reference }, { now, actor })
    return
  }
  const { amountMinor: amount, currency, ofDuplicate } = refund
  const detail = { refundId, amount, currency, why: error, ...(ofDuplicate && { ofDuplicate }) }
  await recordSteps(tx, [{ orderId: order.id, kind: 'refund_failed', actor, detail }], now)
  // It may have been cancelled without asking for the money, because the money was on its way.
  if (!isAnswered || order.status === 'cancelled') await askForRefund(tx, order.id, now)
}
