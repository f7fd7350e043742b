import { transaction } from '@storefront/postgres'
import type { Clock } from '@storefront/service'
import { newId } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { RefundUpdate } from '../payments/provider.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { countRefund } from './count-refund.ts'
import { FAILED_AT_PROVIDER, retryDelayMs, type StoredRefund } from './refund.ts'
import { lockOrder } from '../orders/orders.queries.ts'
import {
  findCapturedPayment,
  findRefund,
  findRefundByReference,
  insertRefund,
  markRefundSettled,
  notePendingRefund,
} from './refunds.queries.ts'
import { settleRefund } from './settle-refund.ts'
import { withdrawRefund } from './withdraw-refund.ts'

/**
 * Handles a provider's update of a refund: one of ours, or one that was made in the provider's dashboard. Repeated
 * updates change nothing. Every provider gets the id of our refund with the request and names it in its updates. So an
 * update without an id of ours counts at once, as another refund, even while one of ours is being made.
 * @returns `unknown` when the payment is not known: the same update can be applied once the payment is captured
 */
export async function applyRefundUpdate(
  { db, clock }: { db: Database; clock: Clock },
  update: RefundUpdate,
): Promise<{ kind: 'noted' } | { kind: 'unknown' }> {
  return transaction(db, async (tx) => {
    const now = clock.now()
    const payment = await findCapturedPayment(tx, update.provider, update.paymentReference)
    const orderId = (await findRefundOf(tx, update))?.orderId ?? payment?.orderId
    const order = orderId === undefined ? undefined : await lockOrder(tx, orderId)
    if (!order) return { kind: 'unknown' }
    const refund = await findRefundOf(tx, update)
    if (refund) {
      await updateRefund(tx, { order, refund, update, now })
      return { kind: 'noted' }
    }
    return { kind: (await recordForeignRefund(tx, order, update, now)) ? 'noted' : 'unknown' }
  })
}

/** By the provider's reference first: the same refund may have been recorded by hand before ours got its response. */
async function findRefundOf(
  tx: Tx,
  { provider, reference, refundId }: RefundUpdate,
): Promise<StoredRefund | undefined> {
  const named = await findRefundByReference(tx, provider, reference)
  if (named || refundId === undefined) return named
  const ours = await findRefund(tx, refundId)
  return ours?.provider === provider ? ours : undefined
}

async function updateRefund(
  tx: Tx,
  { order, refund, update, now }: { order: StoredOrder; refund: StoredRefund; update: RefundUpdate; now: Date },
): Promise<void> {
  const { id, attempts } = refund
  const { reference, status } = update
  if (refund.status === 'succeeded' && status === 'failed') return withdrawRefund(tx, order, refund, now)
  if (refund.status === 'failed' && refund.reference === null && status === 'succeeded') {
    // The provider had rejected it and then refunded it after all. A failure with a reference is final: an update that
    // contradicts it is older and late.
    await markRefundSettled(tx, { id, status, reference, error: null, at: now })
    return countRefund(tx, order, { ...refund, status, reference }, { now, actor: undefined })
  }
  if (refund.status !== 'pending') return
  if (status === 'pending') {
    const nextAttemptAt = new Date(now.getTime() + retryDelayMs(Math.max(attempts, 1)))
    return notePendingRefund(tx, { id, reference, nextAttemptAt, error: null })
  }
  const end = status === 'succeeded' ? { status, reference } : { status, reference, reason: FAILED_AT_PROVIDER }
  return settleRefund(tx, id, end, { now, isReported: false })
}

/**
 * A refund was made in the provider's dashboard. It counts like any other, but does not affect the goods: they stay
 * off sale until a merchant restocks them.
 * @returns false when a refund of another order got the reference meanwhile
 */
async function recordForeignRefund(tx: Tx, order: StoredOrder, update: RefundUpdate, now: Date): Promise<boolean> {
  const { provider, status, reference, paymentReference, amount } = update
  const isOfOrder = order.payment.provider === provider && order.payment.reference === paymentReference
  const refund: StoredRefund = {
    id: newId('refund'),
    orderId: order.id,
    provider,
    paymentReference,
    amountMinor: amount.amount,
    currency: amount.currency,
    reason: null,
    restock: false,
    lines: null,
    status,
    reference,
    ofDuplicate: !isOfOrder,
    createdAt: now,
    attempts: 0,
    requestHash: null,
  }
  const isPending = status === 'pending'
  const nextAttemptAt = isPending ? new Date(now.getTime() + retryDelayMs(1)) : null
  if (!(await insertRefund(tx, { ...refund, settledAt: isPending ? null : now, nextAttemptAt }))) return false
  if (status === 'succeeded') {
    await countRefund(tx, order, refund, { now, actor: undefined })
    return true
  }
  const kind = isPending ? 'refund_requested' : 'refund_failed'
  const detail = { refundId: refund.id, amount: refund.amountMinor, currency: refund.currency, reference }
  await recordSteps(tx, [{ orderId: order.id, kind, detail }], now)
  return true
}
