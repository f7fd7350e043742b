import { z } from 'zod'
import { Money, type PaymentStatus, type RefundStatus } from '@storefront/contracts'
import { alreadyRefunded, invalidAmount, paymentNotCaptured, refundTooLarge } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'

export interface StoredRefund {
  id: string
  orderId: string
  provider: string
  /** The payment it is taken from. */
  paymentReference: string | null
  amountMinor: number
  currency: string
  reason: string | null
  /** Whether the goods come back with it, should it be the one that makes the refund full. */
  restock: boolean | null
  status: RefundStatus
  /** The provider's name for it; none before the provider answered. */
  reference: string | null
  /** Gives back a payment that came beside the order's own, and takes nothing off the order. */
  ofDuplicate: boolean
  createdAt: Date
  /** How often the provider was asked, an attempt under way included. */
  attempts: number
}

/** A provider that is being asked for this long is taken for lost, and the next copy of the service goes on. */
export const REFUND_LEASE_MS = 60_000
/** Why a refund failed that the provider had accepted. */
export const FAILED_THERE = 'the provider says that it failed'
const FIRST_DELAY_MS = 5000
const LONGEST_DELAY_MS = 3600 * 1000

/** How long a refund waits after so many attempts. */
export function retryDelayMs(attempts: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1))
}

const PositiveAmount = z.int().positive()
const WantedAmount = z.union([PositiveAmount, Money.extend({ amount: PositiveAmount })])

export interface WantedRefund {
  amountMinor: number
  /** None where the merchant sent minor units alone, which are in the currency of the payment. */
  currency: string | undefined
}

/**
 * An amount as a merchant sends it: minor units, or Money.
 * @throws Refusal `invalid_amount`
 */
export function amountOf(sent: unknown): WantedRefund | undefined {
  if (sent === undefined) return undefined
  const { data, success } = WantedAmount.safeParse(sent)
  if (!success) throw invalidAmount()
  if (typeof data === 'number') return { amountMinor: data, currency: undefined }
  return { amountMinor: data.amount, currency: data.currency }
}

/**
 * What is given back of an order: what was asked for, or else all that is left. Money that is on its way back is not left.
 * The order's list of refunds must be as it is now.
 */
export function amountToRefund(order: StoredOrder, asked: number | undefined): number {
  if (order.capturedMinor === 0) throw paymentNotCaptured()
  const onItsWay = order.refunds
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { amount }) => sum + amount.amount, 0)
  const left = order.capturedMinor - order.refundedMinor - onItsWay
  if (left <= 0) throw alreadyRefunded()
  if (asked !== undefined && asked > left) throw refundTooLarge(left)
  return asked ?? left
}

/** Whether the buyer has all of his money back: what the order cost, or what he paid when that was less. */
export function isFullyRefunded({ capturedMinor, refundedMinor, document }: StoredOrder): boolean {
  return refundedMinor > 0 && refundedMinor >= Math.min(capturedMinor, document.total.amount)
}

/** Where the payment of an order stands of which so much was captured and so much went back. */
export function paymentStatusOf(capturedMinor: number, refundedMinor: number): PaymentStatus {
  if (refundedMinor === 0) return 'captured'
  return refundedMinor < capturedMinor ? 'partially_refunded' : 'refunded'
}
