import { Refusal, transaction } from '@storefront/chassis'
import type { Actor, Cart } from '@storefront/contracts'
import type { BoardReading } from '../board/read-board.ts'
import { cartNotFound } from '../errors.ts'
import { priceCart } from '../pricing/price-cart.ts'
import { lockCart, saveLines } from './carts.queries.ts'
import { mayTouch, openCart } from './open-cart.ts'
import { expiryFrom, type StoredCart, type StoredLine } from './stored-cart.ts'
import type { TakeOverContext } from './take-over-cart.ts'

/**
 * Changes the lines of a cart and answers the whole cart, repriced.
 *
 * The first try saves without a lock, because two writers in one cart are rare and a lock costs two round trips. Who
 * comes second tries again under the lock, so that fifty clicks at once all count.
 * @param variantIds variants beyond the cart's own that the decision needs to know
 * @param decide makes the new lines from the old ones, or refuses
 */
export async function changeCart(
  context: TakeOverContext,
  who: { cartId: string; actor: Actor },
  variantIds: readonly string[],
  decide: (lines: readonly StoredLine[], board: BoardReading) => StoredLine[],
): Promise<Cart> {
  const { db, board } = context
  const now = context.clock.now()
  const cart = await openCart(context, who.cartId, who.actor)
  const reading = await board.read([...new Set([...cart.lines.map((line) => line.variantId), ...variantIds])])
  const expiresAt = expiryFrom(now, context.ttlDays)
  const answer = (lines: readonly StoredLine[]): Cart => ({ id: cart.id, ...priceCart({ lines, ...reading }) })

  const lines = decide(cart.lines, reading)
  const saved = await saveLines(db, cart, { lines, customerId: cart.customerId, expiresAt })
  if (saved !== undefined) return answer(lines)

  const changed = await transaction(db, async (tx) => {
    const current: StoredCart | undefined = await lockCart(tx, cart.id, now)
    if (!current || !mayTouch(current, who.actor)) throw cartNotFound()
    const decided = decide(current.lines, reading)
    if ((await saveLines(tx, current, { lines: decided, customerId: current.customerId, expiresAt })) === undefined) {
      throw new Refusal('conflict', 'Your bag has just changed. Please try again.')
    }
    return decided
  })
  // Lines that another writer added in between are not in the reading yet.
  return { id: cart.id, ...priceCart({ lines: changed, ...(await board.read(changed.map((line) => line.variantId))) }) }
}
