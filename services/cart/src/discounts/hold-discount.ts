import { transaction } from '@storefront/postgres'
import type { PriceReading } from '../price-projection/read-prices.ts'
import type { StoredCart } from '../cart/stored-cart.ts'
import type { CartContext } from '../context.ts'
import { invalidDiscount } from '../errors.ts'
import { faultOfDiscount, UNKNOWN_CODE } from '../pricing/check-discount.ts'
import { redemptionIdOf, type CartDiscount } from './discount.ts'
import { findDiscountFor, lockDiscount } from './discounts.queries.ts'
import { holdRedemption } from './redemptions.queries.ts'

/**
 * Holds one redemption of a cart's code for a checkout. The discount is locked before anything is counted, so that ten
 * checkouts at once get only the redemptions that are left. A cart that already holds one keeps it.
 * @returns the discount as it was held, and the claim
 * @throws HttpError `invalid_discount`
 */
export async function holdDiscount(
  { db, clock, buyers }: Pick<CartContext, 'db' | 'clock' | 'buyers'>,
  cart: StoredCart & { discountCode: string },
  reading: PriceReading,
  { email, ttlSeconds }: { email: string; ttlSeconds: number },
): Promise<{ discount: CartDiscount; claim: string }> {
  const { id: cartId, customerId, discountCode: code } = cart
  const buyer = buyers.keysOf(email)
  return transaction(db, async (tx) => {
    await lockDiscount(tx, code)
    const now = clock.now()
    const discount = await findDiscountFor(tx, code, { id: cartId, customerId, buyer })
    const { entries, settings } = reading
    const fault = faultOfDiscount(discount, { lines: cart.lines, entries, settings }, now)
    if (fault || discount === null) throw errorOf(fault)
    const buyerHash = buyer?.hashes[0] ?? null
    const use = {
      id: redemptionIdOf(cartId, discount.id),
      discountId: discount.id,
      code,
      cartId,
      customerId,
      buyerHash,
    }
    const until = new Date(now.getTime() + ttlSeconds * 1000)
    return { discount, claim: await holdRedemption(tx, use, { now, until }) }
  })
}

/** The discount of a cart whose checkout holds no redemption yet. @throws HttpError `invalid_discount` */
export function validDiscount(cart: StoredCart, reading: PriceReading, now: Date): CartDiscount {
  const { entries, settings } = reading
  const fault = faultOfDiscount(cart.discount, { lines: cart.lines, entries, settings }, now)
  if (fault || cart.discount === null) throw errorOf(fault)
  return cart.discount
}

function errorOf({ reason, message } = UNKNOWN_CODE) {
  return invalidDiscount(reason, message)
}
