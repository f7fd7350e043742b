import { formatMoney, money, type PriceEntry, type PriceSettings } from '@storefront/contracts'
import type { StoredLine } from '../cart/stored-cart.ts'
import type { CartDiscount } from '../discounts/discount.ts'
import { eligibleSubtotal, soldLines, subtotalOf } from './eligible-lines.ts'

export interface DiscountFault {
  reason: 'unknown' | 'expired' | 'used_up' | 'used_before' | 'nothing_eligible' | 'below_minimum'
  /** For the buyer. */
  message: string
}

/** Also for a code that is switched off or not valid yet: shoppers must not learn what a merchant prepares. */
export const UNKNOWN_CODE: DiscountFault = {
  reason: 'unknown',
  message: 'This discount code does not exist. Please check its spelling.',
}

/**
 * Whether a code is valid for a cart at this moment: a pure function of discount, cart and time.
 * @returns undefined when it is valid
 */
export function faultOfDiscount(
  discount: CartDiscount | null,
  cart: { lines: readonly StoredLine[]; entries: ReadonlyMap<string, PriceEntry>; settings: PriceSettings },
  now: Date,
): DiscountFault | undefined {
  if (discount === null || !discount.active || isBefore(now, discount.startsAt)) return UNKNOWN_CODE
  if (discount.endsAt !== null && !isBefore(now, discount.endsAt)) {
    return { reason: 'expired', message: 'This discount code has expired.' }
  }
  if (discount.usageLimit !== null && discount.usedByOthers >= discount.usageLimit) {
    return { reason: 'used_up', message: 'This discount code has been used up.' }
  }
  if (discount.perCustomerLimit !== null && discount.usedByCustomer >= discount.perCustomerLimit) {
    return { reason: 'used_before', message: 'You have already used this discount code.' }
  }
  const { currency, locale } = cart.settings
  const sold = soldLines(cart.lines, cart.entries, currency)
  if (eligibleSubtotal(sold, discount) === undefined) {
    return { reason: 'nothing_eligible', message: 'This discount code does not apply to any item in your cart.' }
  }
  const minimum = discount.minSubtotal ?? 0
  if (subtotalOf(sold) >= minimum) return undefined
  const amount = formatMoney(money(minimum, currency), locale)
  return { reason: 'below_minimum', message: `This discount code needs an order of ${amount} or more.` }
}

function isBefore(now: Date, time: string | null): boolean {
  return time !== null && now.getTime() < Date.parse(time)
}
