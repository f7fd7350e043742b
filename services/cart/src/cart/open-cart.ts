import type { Actor, Cart, PriceSettings } from '@storefront/contracts'
import { cartNotFound } from '../errors.ts'
import { repriceCart, type Delivery } from '../pricing/reprice-cart.ts'
import { dropDiscount, findCart } from './carts.queries.ts'
import type { StoredCart } from './stored-cart.ts'
import { claimGuestCart, type ClaimContext } from './claim-guest-cart.ts'

/**
 * A cart the actor may access, by its id or by that of a guest cart that was merged into it. The cart of another
 * customer is not found; a guest cart that a signed-in customer opens belongs to that customer from then on.
 * @throws HttpError `cart_not_found`
 */
export async function openCart(context: ClaimContext, cartId: string, actor: Actor): Promise<StoredCart> {
  const cart = await findCart(context.db, cartId, context.clock.now())
  if (!cart || !mayTouch(cart, actor)) throw cartNotFound()
  if (actor.kind !== 'customer' || cart.customerId !== null) return cart
  const claimed = await claimGuestCart(context, cart.id, actor.customerId)
  if (!claimed || !mayTouch(claimed, actor)) throw cartNotFound()
  return claimed
}

export function mayTouch(cart: StoredCart, actor: Actor): boolean {
  return cart.customerId === null || (actor.kind === 'customer' && actor.customerId === cart.customerId)
}

/**
 * The cart as the client gets it: repriced from the price projection every time. A code that is no longer valid is
 * removed.
 * @param deliveryOf the delivery that it is priced for
 */
export async function cartResponse(
  { db, projection, clock }: Pick<ClaimContext, 'db' | 'projection' | 'clock'>,
  cart: StoredCart,
  deliveryOf?: (settings: PriceSettings) => Delivery,
): Promise<Cart> {
  const reading = await projection.read(cart.lines.map((line) => line.variantId))
  const { response, discountCode } = repriceCart(cart, reading, clock.now(), {
    delivery: deliveryOf?.(reading.settings),
  })
  if (discountCode !== cart.discountCode) await dropDiscount(db, cart)
  return response
}
