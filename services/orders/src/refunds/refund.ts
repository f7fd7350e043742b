import { growingPauseMs } from '@storefront/jobs'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@storefront/service'
import { z } from 'zod'
import { Money, type PaymentStatus, type RefundedLine, type RefundStatus } from '@storefront/contracts'
import { alreadyRefunded, invalidAmount, paymentNotCaptured, refundTooLarge } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { hasMoney } from '../payments/confirm-payments.ts'

export interface StoredRefund {
  id: string
  orderId: string
  provider: string
  /** The payment it is taken from. */
  paymentReference: string | null
  amountMinor: number
  currency: string
  reason: string | null
  /** Whether the goods are returned if the buyer is fully refunded by it. */
  restock: boolean | null
  /** The units that it is for; null for an amount alone. */
  lines: RefundedLine[] | null
  status: RefundStatus
  /** The provider's reference of it; none before the provider responded. */
  reference: string | null
  /** Returns a payment beside the order's own, and does not count for the order. */
  ofDuplicate: boolean
  createdAt: Date
  /** How often the provider was called, including a current attempt. */
  attempts: number
  /** Of the request with an idempotency key that it was made for. */
  requestHash: Buffer | null
}

/** After a call has taken this long it counts as lost, and the next replica continues. */
export const REFUND_LEASE_MS = MINUTE_MS
/** Why a refund failed that the provider had accepted. */
export const FAILED_AT_PROVIDER = 'the provider reported that it failed'
const DELAY = { firstMs: 5 * SECOND_MS, factor: 2, longestMs: HOUR_MS }

/** The pause of a refund after this many attempts. */
export function retryDelayMs(attempts: number): number {
  return growingPauseMs(attempts, DELAY)
}

const PositiveAmount = z.int().positive()
const WantedAmount = z.union([PositiveAmount, Money.extend({ amount: PositiveAmount })])

export interface WantedRefund {
  amountMinor: number
  /** None when the merchant sent minor units alone, which are in the currency of the payment. */
  currency: string | undefined
}

/** The amount as a merchant sends it: minor units, or Money. @throws HttpError `invalid_amount` */
export function amountOf(sent: unknown): WantedRefund | undefined {
  if (sent === undefined) return undefined
  const { data, success } = WantedAmount.safeParse(sent)
  if (!success) throw invalidAmount()
  if (typeof data === 'number') return { amountMinor: data, currency: undefined }
  return { amountMinor: data.amount, currency: data.currency }
}

/**
 * The amount to refund: the requested one, or else the full remaining amount. Pending refunds count as refunded. The
 * order's list of refunds must be current.
 */
export function amountToRefund(order: StoredOrder, requestedMinor: number | undefined): number {
  if (!hasMoney(order)) throw paymentNotCaptured()
  const pendingMinor = order.refunds
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { amount }) => sum + amount.amount, 0)
  const leftMinor = order.capturedMinor - order.refundedMinor - pendingMinor
  if (leftMinor <= 0) throw alreadyRefunded()
  if (requestedMinor !== undefined && requestedMinor > leftMinor) throw refundTooLarge(leftMinor)
  return requestedMinor ?? leftMinor
}

/**
 * Whether the buyer is fully refunded: everything that was paid, or the total of the order, unless what is left of an
 * overpayment still pays for the order.
 * @param currency of the payment; amounts in another currency than the order's cannot be compared with its total
 */
export function isFullyRefunded(
  {
    capturedMinor,
    refundedMinor,
    document: { total },
  }: Pick<StoredOrder, 'capturedMinor' | 'refundedMinor'> & { document: Pick<StoredOrder['document'], 'total'> },
  currency: string,
): boolean {
  if (refundedMinor === 0) return false
  if (refundedMinor >= capturedMinor) return true
  return currency === total.currency && refundedMinor >= total.amount && capturedMinor - refundedMinor < total.amount
}

/** The payment status of an order with these captured and refunded amounts. */
export function paymentStatusOf(capturedMinor: number, refundedMinor: number): PaymentStatus {
  if (refundedMinor === 0) return 'captured'
  return refundedMinor < capturedMinor ? 'partially_refunded' : 'refunded'
}
