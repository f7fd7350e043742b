import { newId } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import {
  closeCart,
  findCustomersOf,
  findOpenCartOf,
  insertCart,
  lockBoughtCarts,
  lockCart,
  lockCartsOf,
  replaceLines,
} from './carts.queries.ts'
import { mergeLines } from './merge-lines.ts'
import { expiryFrom, withoutOrdered, type StoredLine } from './stored-cart.ts'

type Ordered = ReadonlyMap<string, readonly { variantId: string; quantity: number }[]>

/**
 * Closes carts that became orders. Who goes back from a payment page, adds a shirt and pays on that page all the same has
 * bought less than the cart holds: the rest goes into the customer's open cart, or makes one. A guest's cart is known by its
 * id alone, which is the order's from now on, so its rest goes with it.
 */
export async function keepTheRest(
  tx: Tx,
  ordered: Ordered,
  { now, ttlDays }: { now: Date; ttlDays: number },
): Promise<void> {
  const ids = [...ordered.keys()]
  // Before the carts themselves, as whoever decides which cart is a customer's open one.
  for (const customerId of await findCustomersOf(tx, ids)) await lockCartsOf(tx, customerId)
  for (const { id, customerId, lines } of await lockBoughtCarts(tx, ids)) {
    const rest = withoutOrdered(lines, ordered.get(id) ?? [])
    // What was moved is in it no more: the same news once more finds nothing to move.
    await closeCart(tx, id, customerId === null ? lines : lines.flatMap((line) => orderedPart(line, rest)))
    if (customerId === null || rest.length === 0) continue
    const open = await findOpenCartOf(tx, customerId, now)
    const locked = open && (await lockCart(tx, open.id, now))
    if (locked) {
      await replaceLines(tx, locked.id, mergeLines(locked.lines, rest, new Map()))
      continue
    }
    const next = newId('cart')
    await insertCart(tx, { id: next, customerId, createdAt: now, expiresAt: expiryFrom(now, ttlDays) })
    await replaceLines(tx, next, rest)
  }
}

function orderedPart(line: StoredLine, rest: readonly StoredLine[]): StoredLine[] {
  const quantity = line.quantity - (rest.find(({ id }) => id === line.id)?.quantity ?? 0)
  return quantity > 0 ? [{ ...line, quantity }] : []
}
