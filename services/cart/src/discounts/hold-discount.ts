import { limitLockWaits, transaction } from '@storefront/postgres'
import type { PriceReading } from '../price-projection/read-prices.ts'
import { rejectCode } from '../cart/carts.queries.ts'
import type { StoredCart } from '../cart/stored-cart.ts'
import type { CartContext } from '../context.ts'
import { invalidDiscount } from '../errors.ts'
import { faultOfDiscount, UNKNOWN_CODE, type DiscountFault } from '../pricing/check-discount.ts'
import { redemptionIdOf, type CartDiscount } from './discount.ts'
import { findDiscountFor, lockDiscount } from './discounts.queries.ts'
import { holdRedemption } from './redemptions.queries.ts'

/**
 * Checkouts that wait for a discount that a lost machine or an import has locked would take all connections, and no cart
 * could be read.
 */
const LOCK_MS = 1000

type Context = Pick<CartContext, 'db' | 'clock' | 'buyers'>
type CartWithCode = StoredCart & { discountCode: string }

/**
 * Holds one redemption of a cart's code for a checkout. The discount is locked before anything is counted, so that ten
 * checkouts at once get only the redemptions that are left. A cart that already holds one keeps it. For a cart that was
 * paid, the discount was agreed: a code that is no longer valid is still applied, without a redemption.
 * @returns the discount and its claim; for a paid cart no claim if the code is not valid, and neither if it is deleted
 * @throws HttpError `invalid_discount`, unless the cart was paid
 */
export async function holdDiscount(
  { db, clock, buyers }: Context,
  cart: CartWithCode,
  reading: PriceReading,
  { email, ttlSeconds, paid = false }: { email: string; ttlSeconds: number; paid?: boolean | undefined },
): Promise<{ discount?: CartDiscount; claim?: string }> {
  const { id: cartId, customerId, discountCode: code } = cart
  const buyer = buyers.keysOf(email)
  const outcome = await transaction(db, async (tx) => {
    await limitLockWaits(tx, LOCK_MS)
    await lockDiscount(tx, code)
    const now = clock.now()
    const found = await findDiscountFor(tx, code, { id: cartId, customerId, buyer })
    const checked = check(found, cart, reading, now)
    if ('fault' in checked) return paid ? { ...(found && { discount: found }) } : checked
    const { discount } = checked
    const buyerHash = buyer?.hashes[0] ?? null
    const redemption = {
      id: redemptionIdOf(cartId, discount.id),
      discountId: discount.id,
      code,
      cartId,
      customerId,
      buyerHash,
    }
    const until = new Date(now.getTime() + ttlSeconds * 1000)
    return { discount, claim: await holdRedemption(tx, redemption, { now, until }) }
  })
  return 'fault' in outcome ? reject(db, cart, outcome.fault) : outcome
}

/**
 * The discount of a cart whose checkout holds no redemption yet.
 * @param email of the buyer, if it is known
 * @throws HttpError `invalid_discount`
 */
export async function validDiscount(
  { db, clock, buyers }: Context,
  cart: CartWithCode,
  reading: PriceReading,
  email: string | undefined,
): Promise<CartDiscount> {
  const { id, customerId, discountCode } = cart
  const discount =
    email === undefined
      ? cart.discount
      : await findDiscountFor(db, discountCode, { id, customerId, buyer: buyers.keysOf(email) })
  const checked = check(discount, cart, reading, clock.now())
  return 'fault' in checked ? reject(db, cart, checked.fault) : checked.discount
}

function check(
  discount: CartDiscount | null,
  { lines }: StoredCart,
  { entries, settings }: PriceReading,
  now: Date,
): { discount: CartDiscount } | { fault: DiscountFault } {
  const fault = faultOfDiscount(discount, { lines, entries, settings }, now)
  return fault || discount === null ? { fault: fault ?? UNKNOWN_CODE } : { discount }
}

async function reject(db: Context['db'], cart: CartWithCode, { reason, message }: DiscountFault): Promise<never> {
  // Recorded, because a later read of the cart does not know the mailbox of a guest and would find the code valid.
  if (reason === 'used_before') await rejectCode(db, cart)
  throw invalidDiscount(reason, message)
}
