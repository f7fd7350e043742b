import { Refusal, transaction } from '@storefront/chassis'
import type { BoardEntry } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { replaceByAlias } from './aliases.queries.ts'
import {
  claimCart,
  convertGuestCart,
  findCart,
  findOpenCartOf,
  lockCart,
  lockCarts,
  lockCartsOf,
  saveLines,
} from './carts.queries.ts'
import { mergeLines } from './merge-lines.ts'
import { isOrdered, resumeCart } from './resume-cart.ts'
import { expiryFrom, type StoredCart } from './stored-cart.ts'

export type TakeOverContext = Pick<CartContext, 'db' | 'board' | 'messaging' | 'clock' | 'log' | 'ttlDays'>

/** Each further one means that somebody changed one of the two carts in between. */
const MAX_TRIES = 5
const CHANGED = 'changed' as const

/**
 * Gives a guest's cart to the customer who touched it: it becomes his, or is merged into the open one that he has
 * (decisions, section 4).
 * @returns the cart that he goes on with; undefined when the guest's is not to be had any more
 */
export async function takeOverCart(
  context: TakeOverContext,
  guestId: string,
  customerId: string,
): Promise<StoredCart | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const taken = await tryTakeOver(context, guestId, customerId)
    if (taken !== CHANGED) return taken
  }
  throw new Refusal('conflict', 'Your bag has just changed. Please try again.')
}

async function tryTakeOver(
  context: TakeOverContext,
  guestId: string,
  customerId: string,
): Promise<StoredCart | undefined | typeof CHANGED> {
  const { db, board, clock } = context
  const own = await resumeCart(context, customerId)
  let entries: ReadonlyMap<string, BoardEntry> = new Map()
  const known = new Set<string>()
  if (own) {
    const guest = await findCart(db, guestId, clock.now())
    if (!guest || guest.customerId !== null) return guest
    // Nobody notes of a guest's cart that it was at the checkout. Should orders not be able to say, the news of the order
    // comes later, and what was bought is taken out of the cart that this one was merged into.
    if (guest.lines.length > 0 && (await isOrdered(context, guestId))) {
      await convertGuestCart(db, guestId, customerId)
      return undefined
    }
    for (const { variantId } of [...own.lines, ...guest.lines]) known.add(variantId)
    entries = (await board.read([...known])).entries
  }
  return transaction(db, async (tx) => {
    const now = clock.now()
    await lockCartsOf(tx, customerId)
    const current = await findOpenCartOf(tx, customerId, now)
    if (current?.id !== own?.id) return CHANGED
    if (!current) return (await claimCart(tx, guestId, customerId, now)) ?? findCart(tx, guestId, now)
    const carts = await lockCarts(tx, [guestId, current.id], now)
    const [guest, mine] = [guestId, current.id].map((id) => carts.find((cart) => cart.id === id))
    if (!mine) return CHANGED
    // In another tab he was faster, or another customer was, or the cart was bought.
    if (!guest || guest.customerId !== null) return findCart(tx, guestId, now)
    if ([...mine.lines, ...guest.lines].some(({ variantId }) => !known.has(variantId))) return CHANGED
    return merge(tx, mine, guest, { entries, now, expiresAt: expiryFrom(now, context.ttlDays) })
  })
}

async function merge(
  tx: Tx,
  mine: StoredCart,
  guest: StoredCart,
  { entries, now, expiresAt }: { entries: ReadonlyMap<string, BoardEntry>; now: Date; expiresAt: Date },
): Promise<StoredCart | undefined> {
  const change = {
    lines: mergeLines(mine.lines, guest.lines, entries),
    customerId: mine.customerId,
    expiresAt,
    // One code a cart: her own stays. The guest's is tried at the next repricing, which comes with the answer.
    discountCode: mine.discountCode ?? guest.discountCode,
    // What is on its way to the guest's cart once more is not to be done once more in this one.
    keys: guest.recentKeys,
  }
  if ((await saveLines(tx, mine, change)) === undefined)
    throw new Error(`a cart changed while it was locked: ${mine.id}`)
  await replaceByAlias(tx, guest.id, mine.id)
  return lockCart(tx, mine.id, now)
}
