import type { Money, Quote } from '@storefront/contracts'
import type { CapturedPayment } from './payments.queries.ts'

/** The name of the provider of orders that cost nothing. */
export const NO_PROVIDER = 'none'

/** Whether a discount and free shipping leave nothing to pay. No provider accepts a payment of 0. */
export function isFree({ total }: Pick<Quote, 'total'>): boolean {
  return total.amount === 0
}

/** The payment of an order that costs nothing, so that it becomes paid in the same way as others. */
export function freeCapture(orderId: string, { amount, currency }: Money): Omit<CapturedPayment, 'orderId'> {
  return {
    provider: NO_PROVIDER,
    reference: `${NO_PROVIDER}_${orderId}`,
    method: null,
    amountMinor: amount,
    currency,
  }
}
