import { newId } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { moveAliases } from './aliases.queries.ts'
import {
  closeCarts,
  findOpenCartOf,
  insertCart,
  lockBoughtCarts,
  lockCart,
  lockCartsOfOwners,
  replaceLines,
} from './carts.queries.ts'
import { mergeLines } from './merge-lines.ts'
import { expiryFrom, splitOrdered, type OrderedGoods, type StoredLine } from './stored-cart.ts'

/** An order of a cart, with every id that may refer to the cart. */
export type OrderedCart = OrderedGoods & { cartIds: readonly string[] }

/**
 * Closes carts that became orders. A buyer who goes back from a payment page, adds a shirt and then pays on that page
 * has bought less than the cart holds: the remaining lines move to the customer's open cart, or to a new one. A guest
 * cart is known by its id alone, which belongs to the order from now on, so its remaining lines go with it.
 */
export async function closeOrderedCarts(
  tx: Tx,
  orders: ReadonlyMap<string, OrderedCart>,
  time: { now: Date; ttlDays: number },
): Promise<void> {
  const ids = [...orders.keys()]
  // Before the carts themselves, as in every transaction that decides which cart is the customer's open one.
  await lockCartsOfOwners(tx, ids)
  const bought = (await lockBoughtCarts(tx, ids)).flatMap(({ id, customerId, lines }) => {
    const order = orders.get(id)
    return order ? [{ id, customerId, lines, cartIds: order.cartIds, ...splitOrdered(lines, order) }] : []
  })
  // A customer's closed cart keeps only the ordered lines, so that a repeated event finds nothing to move.
  await closeCarts(
    tx,
    bought.map(({ id, customerId, lines, ordered }) => ({ id, lines: customerId === null ? lines : ordered })),
  )
  for (const { id, customerId, remaining, cartIds } of bought) {
    if (customerId === null || remaining.length === 0) continue
    const next = await keepRemaining(tx, customerId, remaining, time)
    // The goods of a guest cart that was merged too late for this order are in the next cart now.
    await moveAliases(tx, { from: id, to: next, ordered: cartIds })
  }
}

/** @returns the cart that the lines are in from now on */
async function keepRemaining(
  tx: Tx,
  customerId: string,
  remaining: readonly StoredLine[],
  { now, ttlDays }: { now: Date; ttlDays: number },
): Promise<string> {
  const open = await findOpenCartOf(tx, customerId, now)
  const locked = open && (await lockCart(tx, open.id, now))
  if (locked) {
    await replaceLines(tx, locked.id, mergeLines(locked.lines, remaining, new Map()))
    return locked.id
  }
  const id = newId('cart')
  await insertCart(tx, { id, customerId, createdAt: now, expiresAt: expiryFrom(now, ttlDays) })
  await replaceLines(tx, id, remaining)
  return id
}
