import type { Money, Quote } from '@storefront/contracts'
import type { CapturedPayment } from './payments.queries.ts'

/** Who is paid where nothing is to be paid. */
export const NOBODY_PAID = 'none'

/** Whether a discount and free shipping leave nothing to pay. No provider takes a payment of nothing. */
export function isFree({ total }: Pick<Quote, 'total'>): boolean {
  return total.amount === 0
}

/** What an order that costs nothing is paid with, so that it becomes paid in the same way as others. */
export function freeCapture(orderId: string, { amount, currency }: Money): Omit<CapturedPayment, 'orderId'> {
  return {
    provider: NOBODY_PAID,
    reference: `${NOBODY_PAID}_${orderId}`,
    method: null,
    amountMinor: amount,
    currency,
  }
}
