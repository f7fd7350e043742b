import { formatMoney, money, type BoardEntry, type BoardSettings } from '@storefront/contracts'
import type { StoredLine } from '../cart/stored-cart.ts'
import type { CartDiscount } from '../discounts/discount.ts'
import { eligibleSubtotal, soldLines } from './eligible-lines.ts'

export interface DiscountFault {
  reason: 'unknown' | 'expired' | 'used_up' | 'used_before' | 'nothing_eligible' | 'below_minimum'
  /** For the buyer. */
  message: string
}

/** Also of a code that is switched off or not on yet: what a merchant prepares is nobody's business. */
export const UNKNOWN_CODE: DiscountFault = { reason: 'unknown', message: 'We do not know this code.' }

/**
 * Whether a code is good for a cart at this moment: a pure function of discount, cart and time.
 * @returns what is wrong with it, undefined when nothing is
 */
export function faultOfDiscount(
  discount: CartDiscount | null,
  cart: { lines: readonly StoredLine[]; entries: ReadonlyMap<string, BoardEntry>; settings: BoardSettings },
  now: Date,
): DiscountFault | undefined {
  if (discount === null || !discount.active || isBefore(now, discount.startsAt)) return UNKNOWN_CODE
  if (discount.endsAt !== null && !isBefore(now, discount.endsAt)) {
    return { reason: 'expired', message: 'This code has expired.' }
  }
  if (discount.usageLimit !== null && discount.usedByOthers >= discount.usageLimit) {
    return { reason: 'used_up', message: 'This code has been used up.' }
  }
  if (discount.perCustomerLimit !== null && discount.usedByCustomer >= discount.perCustomerLimit) {
    return { reason: 'used_before', message: 'You have already used this code.' }
  }
  const { currency, locale } = cart.settings
  const sold = soldLines(cart.lines, cart.entries, currency)
  const eligible = eligibleSubtotal(sold, discount)
  if (eligible === undefined) {
    return { reason: 'nothing_eligible', message: 'This code is for none of the items in your bag.' }
  }
  const minimum = discount.minSubtotal ?? 0
  const subtotal = sold.reduce((sum, line) => sum + line.total, 0)
  if (subtotal >= minimum) return undefined
  const amount = formatMoney(money(minimum, currency), locale)
  return { reason: 'below_minimum', message: `This code is for orders of ${amount} or more.` }
}

function isBefore(now: Date, time: string | null): boolean {
  return time !== null && now.getTime() < Date.parse(time)
}
