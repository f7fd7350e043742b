import { ID_PREFIXES, newId, type RefundedLine } from '@storefront/contracts'
import { digestOf } from '@storefront/http'
import type { Tx } from '../database.ts'
import {
  nothingPaidForUnits,
  orderNotFound,
  refundCurrencyMismatch,
  refundReferenceNeeded,
  refundReferenceTaken,
  refundsUnavailable,
} from '../errors.ts'
import { requireSameRequest } from '../idempotency/request-hash.ts'
import type { StoredOrder } from '../orders/order.ts'
import { isPaymentProvider, type PaymentProviders } from '../payments/providers.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { countRefund } from './count-refund.ts'
import { amountToRefund, REFUND_LEASE_MS, type StoredRefund, type WantedRefund } from './refund.ts'
import { unitsOf } from './refund-detail.ts'
import { linesToRefund, type WantedLine } from './refunded-lines.ts'
import { lockOrder } from '../orders/orders.queries.ts'
import { findCapturedPayment, findRefund, findRefundByReference, insertRefund } from './refunds.queries.ts'

export interface RefundRequest {
  /** When missing, what was paid for the units, or without these the full remaining amount. */
  amount: WantedRefund | undefined
  reason: string | undefined
  restock: boolean
  /** The units that it is for. */
  lines: readonly WantedLine[] | undefined
  /** The provider's reference of a refund that was already made there. */
  reference: string | undefined
  actor: string
  /** The same key of the same admin requests the same refund. */
  idempotencyKey: string | undefined
  /** Null without a key. */
  requestHash: Buffer | null
}

/**
 * Records that money is to be refunded. When the provider is called for it, the refund is claimed until its lease ends;
 * otherwise it was refunded by hand, and counts at once.
 * @returns the refund that the provider is to be called for now; none also when the same was requested before
 * @throws HttpError `idempotency_mismatch` when the key was used for another refund of this order
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
  const id = await newRefundId(tx, orderId, request)
  const known = reference === null ? undefined : await findRefundByReference(tx, provider, reference)
  if (id === undefined || known?.orderId === orderId) return undefined
  if (known) throw refundReferenceTaken()
  const payment = paymentReference === null ? undefined : await findCapturedPayment(tx, provider, paymentReference)
  const currency = payment?.currency ?? order.document.total.currency
  const lines = request.lines === undefined ? null : linesToRefund(order, request.lines)
  const amountMinor = amountToRefund(order, wantedAmount(request.amount, lines, currency))
  const isRequested = reference === null && isRequestedFromProvider(order, providers)
  const refund: StoredRefund = {
    id,
    orderId,
    provider,
    paymentReference,
    amountMinor,
    currency,
    reason: request.reason ?? null,
    restock: request.restock,
    lines,
    status: isRequested ? 'pending' : 'succeeded',
    reference,
    ofDuplicate: false,
    createdAt: now,
    attempts: isRequested ? 1 : 0,
    requestHash: request.requestHash,
  }
  const nextAttemptAt = isRequested ? new Date(now.getTime() + REFUND_LEASE_MS) : null
  if (!(await insertRefund(tx, { ...refund, settledAt: isRequested ? null : now, nextAttemptAt })))
    throw refundReferenceTaken()
  const detail = {
    refundId: refund.id,
    amount: amountMinor,
    currency: refund.currency,
    ...(refund.reason !== null && { reason: refund.reason }),
    ...unitsOf(order, refund),
  }
  await recordSteps(tx, [{ orderId, kind: 'refund_requested', actor, detail }], now)
  if (isRequested) return refund
  await countRefund(tx, order, refund, { now, actor })
  return undefined
}

/**
 * The requested amount, or else what the buyer paid for the units; undefined for everything that remains.
 * @param currency of the payment, in which the amount is refunded
 */
function wantedAmount(
  wanted: WantedRefund | undefined,
  lines: readonly RefundedLine[] | null,
  currency: string,
): number | undefined {
  const sent = wanted?.currency ?? (wanted ? currency : lines?.[0]?.amount.currency)
  if (sent !== undefined && sent !== currency) throw refundCurrencyMismatch(sent, currency)
  if (wanted || !lines) return wanted?.amountMinor
  const paid = lines.reduce((sum, { amount }) => sum + amount.amount, 0)
  if (paid === 0) throw nothingPaidForUnits()
  return paid
}

/**
 * Whether the provider is called for the refund. A payment taken by hand is refunded by hand, and only recorded here.
 */
function isRequestedFromProvider({ payment }: StoredOrder, providers: PaymentProviders): boolean {
  if (!isPaymentProvider(payment.provider)) return false
  // Recording a refund that was not made would cost the buyer their money.
  if (!providers.get(payment.provider)?.isConfigured()) throw refundsUnavailable()
  if (payment.reference === null) throw refundReferenceNeeded()
  return true
}

/**
 * The id is derived from the key, so that a refund is found again even when its response was not stored: a client
 * without a response retries, and must not refund twice. A refund that the provider rejected may be tried again.
 * @returns nothing when this key has its refund
 */
async function newRefundId(
  tx: Tx,
  orderId: string,
  { actor, idempotencyKey, requestHash }: RefundRequest,
): Promise<string | undefined> {
  if (idempotencyKey === undefined) return newId('refund')
  for (let attempt = 1; ; attempt++) {
    const hash = digestOf([orderId, actor, idempotencyKey, attempt]).toString('hex')
    const id = `${ID_PREFIXES.refund}_${hash.slice(0, 32)}`
    const before = await findRefund(tx, id)
    if (!before) return id
    if (before.status === 'failed') continue
    requireSameRequest(before.requestHash, requestHash)
    return undefined
  }
}
