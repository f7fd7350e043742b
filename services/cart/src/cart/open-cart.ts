import type { Clock } from '@storefront/chassis'
import type { Actor, Cart } from '@storefront/contracts'
import type { BoardReader } from '../board/read-board.ts'
import type { Database } from '../database.ts'
import { cartNotFound } from '../errors.ts'
import { repriceCart } from '../pricing/reprice-cart.ts'
import { claimCart, dropDiscount, findCart } from './carts.queries.ts'
import type { StoredCart } from './stored-cart.ts'

const DAY_MS = 24 * 3600 * 1000

/**
 * A cart the actor may touch. One that belongs to another customer does not exist for him; a guest's cart becomes his
 * when he touches it signed in (decisions, section 4).
 * @throws Refusal `cart_not_found`
 */
export async function openCart(
  context: { db: Database; clock: Clock },
  cartId: string,
  actor: Actor,
): Promise<StoredCart> {
  const { db, clock } = context
  const cart = await findCart(db, cartId, clock.now())
  if (!cart || !mayTouch(cart, actor)) throw cartNotFound()
  if (actor.kind !== 'customer' || cart.customerId !== null) return cart
  const claimed = await claimCart(db, cart.id, actor.customerId, clock.now())
  if (claimed) return claimed
  // Another request was faster: his own, or that of another customer.
  const taken = await findCart(db, cartId, clock.now())
  if (!taken || !mayTouch(taken, actor)) throw cartNotFound()
  return taken
}

export function mayTouch(cart: StoredCart, actor: Actor): boolean {
  return cart.customerId === null || (actor.kind === 'customer' && actor.customerId === cart.customerId)
}

export function expiryFrom(now: Date, ttlDays: number): Date {
  return new Date(now.getTime() + ttlDays * DAY_MS)
}

/** A cart for a merchant, who may sell it whoever owns it. @throws Refusal `cart_not_found` */
export async function openAnyCart({ db, clock }: { db: Database; clock: Clock }, cartId: string): Promise<StoredCart> {
  const cart = await findCart(db, cartId, clock.now())
  if (!cart) throw cartNotFound()
  return cart
}

/** The cart as the client gets it: repriced from the board, every time. A code that is not valid any more falls off. */
export async function cartAnswer(
  { db, board, clock }: { db: Database; board: BoardReader; clock: Clock },
  cart: StoredCart,
): Promise<Cart> {
  const reading = await board.read(cart.lines.map((line) => line.variantId))
  const { answer, discountCode } = repriceCart(cart, reading, clock.now())
  if (discountCode !== cart.discountCode) await dropDiscount(db, cart)
  return answer
}
