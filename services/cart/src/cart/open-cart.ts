import type { Clock } from '@storefront/chassis'
import type { Actor, Cart } from '@storefront/contracts'
import type { BoardReader } from '../board/read-board.ts'
import type { Database } from '../database.ts'
import { cartNotFound } from '../errors.ts'
import { priceCart } from '../pricing/price-cart.ts'
import { claimCart, findCart } from './carts.queries.ts'
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

/** The cart as the client gets it: repriced from the board, every time. */
export async function cartAnswer(board: BoardReader, cart: Pick<StoredCart, 'id' | 'lines'>): Promise<Cart> {
  const { entries, settings } = await board.read(cart.lines.map((line) => line.variantId))
  return { id: cart.id, ...priceCart({ lines: cart.lines, entries, settings }) }
}
