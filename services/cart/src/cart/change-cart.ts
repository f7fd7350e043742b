import { DependencyUnavailable } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { Actor, Cart } from '@storefront/contracts'
import type { PriceReading } from '../price-projection/read-prices.ts'
import type { Database, Tx } from '../database.ts'
import { findDiscountFor } from '../discounts/discounts.queries.ts'
import { cartChanged, cartNotFound, invalidDiscount } from '../errors.ts'
import { repriceCart } from '../pricing/reprice-cart.ts'
import { lockCart, saveLines } from './carts.queries.ts'
import { isReplayed, type ChangeKey } from './change-key.ts'
import { cartResponse, mayTouch, openCart } from './open-cart.ts'
import { expiryFrom, type StoredCart, type StoredLine } from './stored-cart.ts'
import type { ClaimContext } from './claim-guest-cart.ts'

/**
 * How often a change is tried. An attempt fails when another request adds a variant to the cart after the price
 * projection was read, because its price is then unknown.
 */
const MAX_ATTEMPTS = 3

/**
 * Changes the lines of a cart, or its discount code, and returns the whole cart, repriced.
 *
 * The first attempt saves without a lock, because two writers in one cart are rare and a lock costs two round trips.
 * The loser of a race tries again under the lock, so that fifty simultaneous clicks all count.
 * @param caller.key of the change: a change that was already made is not repeated, and the current cart is returned
 * @param caller.onReplay called in that case
 * @param variantIds variants that `decide` needs the prices and stock of, besides those in the cart
 * @param decide makes the new lines from the old ones, or throws
 * @param code the discount code to set, null to remove it; without it the cart keeps its code as long as it is valid
 * @throws HttpError `invalid_discount` when the code is not valid for the cart, `idempotency_mismatch` when another
 * change was made with the key
 */
export async function changeCart(
  context: ClaimContext,
  caller: { cartId: string; actor: Actor; key?: ChangeKey | undefined; onReplay?: () => void },
  variantIds: readonly string[],
  decide: (lines: readonly StoredLine[], projection: PriceReading) => StoredLine[],
  code?: string | null,
  attempt = 1,
): Promise<Cart> {
  const { db, projection } = context
  const now = context.clock.now()
  const cart = await openCart(context, caller.cartId, caller.actor)
  /** Whether this change was already made; if so, calls `onReplay`. */
  function isDone({ recentKeys }: StoredCart): boolean {
    const isReplay = isReplayed(caller.key, recentKeys)
    if (isReplay) caller.onReplay?.()
    return isReplay
  }
  if (isDone(cart)) return cartResponse(context, cart)
  const requested = new Set([...cart.lines.map((line) => line.variantId), ...variantIds])
  const reading = await projection.read([...requested])
  const expiresAt = expiryFrom(now, context.ttlDays)

  /** @returns the saved cart; undefined when it has changed, or holds a variant that was not read */
  async function save(
    tx: Database | Tx,
    current: StoredCart,
  ): Promise<{ cart: StoredCart; response: Cart } | undefined> {
    const changed = { ...(await withCode(tx, current, code)), lines: decide(current.lines, reading) }
    const isWhole = reading.unread.size === 0 && changed.lines.every((line) => requested.has(line.variantId))
    const { response, discountCode, fault } = repriceCart(changed, reading, now, { isWhole })
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
      ...(caller.key !== undefined && { keys: [caller.key.change, caller.key.key] }),
    })
    return version === undefined ? undefined : { cart: { ...changed, version, discountCode }, response }
  }

  if (typeof code === 'string' && reading.unread.size > 0) throw new DependencyUnavailable('catalog')
  const saved = await save(db, cart)
  if (saved) return saved.response

  const savedUnderLock = await transaction(db, async (tx) => {
    const current: StoredCart | undefined = await lockCart(tx, cart.id, now)
    if (!current || !mayTouch(current, caller.actor)) throw cartNotFound()
    return isDone(current) ? { cart: current } : save(tx, current)
  })
  if (savedUnderLock) return cartResponse(context, savedUnderLock.cart)
  if (attempt === MAX_ATTEMPTS) throw cartChanged()
  return changeCart(context, caller, variantIds, decide, code, attempt + 1)
}

/** The cart with another code, or with none. */
async function withCode(db: Database | Tx, cart: StoredCart, code: string | null | undefined): Promise<StoredCart> {
  if (code === undefined) return cart
  if (code === null) return { ...cart, discountCode: null, discount: null }
  return { ...cart, discountCode: code, discount: await findDiscountFor(db, code, cart) }
}
