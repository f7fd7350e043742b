import { DependencyUnavailable, Refusal, transaction } from '@storefront/chassis'
import type { Actor, Cart } from '@storefront/contracts'
import type { BoardReading } from '../board/read-board.ts'
import type { Database, Tx } from '../database.ts'
import { findDiscountFor } from '../discounts/discounts.queries.ts'
import { cartNotFound, invalidDiscount } from '../errors.ts'
import { repriceCart } from '../pricing/reprice-cart.ts'
import { lockCart, saveLines } from './carts.queries.ts'
import { cartAnswer, mayTouch, openCart } from './open-cart.ts'
import { expiryFrom, type StoredCart, type StoredLine } from './stored-cart.ts'
import type { TakeOverContext } from './take-over-cart.ts'

/**
 * How many attempts are made while variants that the price projection was not read for keep being added during a change
 * of the code.
 */
const MAX_ATTEMPTS = 3

/**
 * Changes the lines of a cart, or its code, and returns the whole cart, repriced.
 *
 * The first attempt saves without a lock, because two writers in one cart are rare and a lock costs two round trips.
 * The
 * loser of a race tries again under the lock, so that fifty simultaneous clicks all count.
 * @param who.key of the change: a change that was already made is not repeated, and the current cart is returned
 * @param variantIds variants beyond the cart's own that the decision needs to know
 * @param decide makes the new lines from the old ones, or throws
 * @param code to set, null to remove the code; without it the cart keeps its code as long as it is valid
 * @throws Refusal `invalid_discount` when the code is not valid for the cart
 */
export async function changeCart(
  context: TakeOverContext,
  who: { cartId: string; actor: Actor; key?: string | undefined },
  variantIds: readonly string[],
  decide: (lines: readonly StoredLine[], board: BoardReading) => StoredLine[],
  code?: string | null,
  attempt = 1,
): Promise<Cart> {
  const { db, board } = context
  const now = context.clock.now()
  const cart = await openCart(context, who.cartId, who.actor)
  const isDone = ({ recentKeys }: StoredCart) => who.key !== undefined && recentKeys.includes(who.key)
  if (isDone(cart)) return cartAnswer(context, cart)
  const asked = new Set([...cart.lines.map((line) => line.variantId), ...variantIds])
  const reading = await board.read([...asked])
  const expiresAt = expiryFrom(now, context.ttlDays)

  /** @returns the saved cart; undefined when it changed meanwhile, or holds a variant that was not read */
  async function save(tx: Database | Tx, current: StoredCart): Promise<{ cart: StoredCart; answer: Cart } | undefined> {
    const changed = { ...(await withCode(tx, current, code)), lines: decide(current.lines, reading) }
    const isWhole = reading.unread.size === 0 && changed.lines.every((line) => asked.has(line.variantId))
    const { answer, discountCode, fault } = repriceCart(changed, reading, now, isWhole)
    if (code !== undefined && fault) {
      if (!isWhole) return undefined
      throw invalidDiscount(fault.reason, fault.message)
    }
    const { customerId } = current
    const version = await saveLines(tx, current, {
      lines: changed.lines,
      customerId,
      expiresAt,
      discountCode,
      ...(who.key !== undefined && { keys: [who.key] }),
    })
    return version === undefined ? undefined : { cart: { ...changed, version, discountCode }, answer }
  }

  if (typeof code === 'string' && reading.unread.size > 0) throw new DependencyUnavailable('catalog')
  const saved = await save(db, cart)
  if (saved) return saved.answer

  const changed = await transaction(db, async (tx) => {
    const current: StoredCart | undefined = await lockCart(tx, cart.id, now)
    if (!current || !mayTouch(current, who.actor)) throw cartNotFound()
    return isDone(current) ? { cart: current } : save(tx, current)
  })
  if (changed) return cartAnswer(context, changed.cart)
  if (attempt === MAX_ATTEMPTS) throw new Refusal('conflict', 'Your cart has just changed. Please try again.')
  return changeCart(context, who, variantIds, decide, code, attempt + 1)
}

/** The cart with another code, or with none. */
async function withCode(db: Database | Tx, cart: StoredCart, code: string | null | undefined): Promise<StoredCart> {
  if (code === undefined) return cart
  if (code === null) return { ...cart, discountCode: null, discount: null }
  return { ...cart, discountCode: code, discount: await findDiscountFor(db, code, cart) }
}
