import { createHash } from 'node:crypto'
import { ID_PREFIXES, newId } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import {
  orderNotFound,
  refundCurrencyMismatch,
  refundReferenceNeeded,
  refundReferenceTaken,
  refundsUnavailable,
} from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { isPaymentProvider, type PaymentProviders } from '../payments/providers.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { countRefund } from './count-refund.ts'
import { amountToRefund, REFUND_LEASE_MS, type StoredRefund, type WantedRefund } from './refund.ts'
import { lockOrder } from '../orders/orders.queries.ts'
import { findCapturedPayment, findRefund, findRefundByReference, insertRefund } from './refunds.queries.ts'

export interface RefundRequest {
  /** All that is left when there is none. */
  amount: WantedRefund | undefined
  reason: string | undefined
  restock: boolean
  /** The provider's name for money that was returned there already. */
  reference: string | undefined
  actor: string | undefined
  /** The same key of the same admin asks for the same refund. */
  idempotencyKey: string | undefined
}

/**
 * Writes down that money is to go back. When the provider is asked for it, the refund is claimed until its lease ends;
 * otherwise it has gone back by hand, and counts at once.
 * @returns the refund that the provider is to be asked for now; none also when the same was asked for before
 */
export async function requestRefund(
  tx: Tx,
  orderId: string,
  request: RefundRequest,
  { providers, now }: { providers: PaymentProviders; now: Date },
): Promise<StoredRefund | undefined> {
  const order = await lockOrder(tx, orderId)
  if (!order) throw orderNotFound()
  const { provider, reference: paymentReference } = order.payment
  const { actor, reference = null } = request
  const known = reference === null ? undefined : await findRefundByReference(tx, provider, reference)
  if (known?.orderId === orderId) return undefined
  if (known) throw refundReferenceTaken()
  const id = await newRefundId(tx, orderId, request)
  if (id === undefined) return undefined
  const payment = paymentReference === null ? undefined : await findCapturedPayment(tx, provider, paymentReference)
  const currency = payment?.currency ?? order.document.total.currency
  const wanted = request.amount
  if (wanted?.currency !== undefined && wanted.currency !== currency)
    throw refundCurrencyMismatch(wanted.currency, currency)
  const amountMinor = amountToRefund(order, wanted?.amountMinor)
  const isAsked = reference === null && isAskedFor(order, providers)
  const refund: StoredRefund = {
    id,
    orderId,
    provider,
    paymentReference,
    amountMinor,
    currency,
    reason: request.reason ?? null,
    restock: request.restock,
    status: isAsked ? 'pending' : 'succeeded',
    reference,
    ofDuplicate: false,
    createdAt: now,
    attempts: isAsked ? 1 : 0,
  }
  const nextAttemptAt = isAsked ? new Date(now.getTime() + REFUND_LEASE_MS) : null
  if (!(await insertRefund(tx, { ...refund, settledAt: isAsked ? null : now, nextAttemptAt })))
    throw refundReferenceTaken()
  const detail = {
    refundId: refund.id,
    amount: amountMinor,
    currency: refund.currency,
    ...(refund.reason !== null && { reason: refund.reason }),
  }
  await recordSteps(tx, [{ orderId, kind: 'refund_requested', actor, detail }], now)
  if (isAsked) return refund
  await countRefund(tx, order, refund, { now, actor })
  return undefined
}

/** Whether the provider is asked for the money. What was paid by hand is given back by hand, and only written down here. */
function isAskedFor({ payment }: StoredOrder, providers: PaymentProviders): boolean {
  if (!isPaymentProvider(payment.provider)) return false
  // To write down as returned what nobody returned would cost the buyer his money.
  if (!providers.get(payment.provider)?.isConfigured()) throw refundsUnavailable()
  if (payment.reference === null) throw refundReferenceNeeded()
  return true
}

/**
 * The id follows from the key, so that a refund is known again even where its answer was not kept: whoever was told nothing
 * asks again, and must not give the money back twice. What the provider refused may be tried again.
 * @returns nothing when this key has its refund
 */
async function newRefundId(
  tx: Tx,
  orderId: string,
  { actor, idempotencyKey }: RefundRequest,
): Promise<string | undefined> {
  if (idempotencyKey === undefined) return newId('refund')
  for (let attempt = 1; ; attempt++) {
    const digest = createHash('sha256').update(JSON.stringify([orderId, actor, idempotencyKey, attempt]))
    const id = `${ID_PREFIXES.refund}_${digest.digest('hex').slice(0, 32)}`
    const before = await findRefund(tx, id)
    if (!before) return id
    if (before.status !== 'failed') return undefined
  }
}
