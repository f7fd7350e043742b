import type { Money, Quote } from '@storefront/contracts'
import { toProviderAmount } from '../payments/provider-amount.ts'
import { RAZORPAY_UNITS } from '../payments/razorpay/razorpay-updates.ts'

/**
 * The parameters of Razorpay's form. Its amount must be that of Razorpay's order, so it is in Razorpay's units, which
 * differ from those of the shop in some currencies.
 */
export function razorpayForm(
  { providerSession, document: { total } }: { providerSession: string | null; document: { total: Money } },
  { razorpayKeyId }: Pick<Quote['terms'], 'razorpayKeyId'>,
) {
  if (providerSession === null || razorpayKeyId === undefined) throw new Error('razorpay returned no order id')
  return {
    razorpay_order_id: providerSession,
    amount: toProviderAmount(total, RAZORPAY_UNITS),
    currency: total.currency,
    key_id: razorpayKeyId,
  }
}
