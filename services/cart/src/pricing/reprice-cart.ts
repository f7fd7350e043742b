import type { Cart } from '@storefront/contracts'
import type { PriceReading } from '../price-projection/read-prices.ts'
import type { StoredCart } from '../cart/stored-cart.ts'
import { faultOfDiscount, type DiscountFault } from './check-discount.ts'
import { priceCart, type PricingInput } from './price-cart.ts'

interface RepricedCart {
  response: Cart
  /** The code that the cart keeps: one that is no longer valid is removed, and stays removed. */
  discountCode: string | null
  /** Why the cart's code is not valid; undefined for a valid code, and for a cart without one. */
  fault: DiscountFault | undefined
}

/** Where a cart is delivered to and how, as far as that is known. */
export type Delivery = Pick<PricingInput, 'destination' | 'shippingMethod'>

/**
 * Prices a cart with its code, if that is valid now.
 * @param delivery what the shopper has chosen so far
 * @param isWhole whether every line could be read: an outage must not remove a code
 */
export function repriceCart(
  { id, lines, discountCode, discount }: Pick<StoredCart, 'id' | 'lines' | 'discountCode' | 'discount'>,
  { entries, settings, unread }: PriceReading,
  now: Date,
  { delivery, isWhole = unread.size === 0 }: { delivery?: Delivery | undefined; isWhole?: boolean } = {},
): RepricedCart {
  const fault = discountCode === null ? undefined : faultOfDiscount(discount, { lines, entries, settings }, now)
  const isValid = discountCode !== null && fault === undefined
  const applied = isValid && discount !== null ? discount : undefined
  const priced = priceCart({ lines, entries, settings, ...delivery, discount: applied })
  return { response: { id, ...priced }, discountCode: isValid || !isWhole ? discountCode : null, fault }
}
