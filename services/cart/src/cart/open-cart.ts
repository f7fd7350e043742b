import type { Actor, Cart } from '@storefront/contracts'
import { cartNotFound } from '../errors.ts'
import { repriceCart } from '../pricing/reprice-cart.ts'
import { dropDiscount, findCart } from './carts.queries.ts'
import type { StoredCart } from './stored-cart.ts'
import { takeOverCart, type TakeOverContext } from './take-over-cart.ts'

/**
 * A cart the actor may touch, by its id or by that of a guest's cart that was merged into it. One that belongs to another
 * customer does not exist for him; a guest's cart that he touches signed in is his from then on (decisions, section 4).
 * @throws Refusal `cart_not_found`
 */
export async function openCart(context: TakeOverContext, cartId: string, actor: Actor): Promise<StoredCart> {
  const cart = await findCart(context.db, cartId, context.clock.now())
  if (!cart || !mayTouch(cart, actor)) throw cartNotFound()
  if (actor.kind !== 'customer' || cart.customerId !== null) return cart
  const taken = await takeOverCart(context, cart.id, actor.customerId)
  if (!taken || !mayTouch(taken, actor)) throw cartNotFound()
  return taken
}

export function mayTouch(cart: StoredCart, actor: Actor): boolean {
  return cart.customerId === null || (actor.kind === 'customer' && actor.customerId === cart.customerId)
}

/** A cart for a merchant, who may sell it whoever owns it. @throws Refusal `cart_not_found` */
export async function openAnyCart(
  { db, clock }: Pick<TakeOverContext, 'db' | 'clock'>,
  cartId: string,
): Promise<StoredCart> {
  const cart = await findCart(db, cartId, clock.now())
  if (!cart) throw cartNotFound()
  return cart
}

/** The cart as the client gets it: repriced from the board, every time. A code that is not valid any more falls off. */
export async function cartAnswer(
  { db, board, clock }: Pick<TakeOverContext, 'db' | 'board' | 'clock'>,
  cart: StoredCart,
): Promise<Cart> {
  const reading = await board.read(cart.lines.map((line) => line.variantId))
  const { answer, discountCode } = repriceCart(cart, reading, clock.now())
  if (discountCode !== cart.discountCode) await dropDiscount(db, cart)
  return answer
}
