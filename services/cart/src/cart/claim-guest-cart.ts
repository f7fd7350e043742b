import { transaction } from '@storefront/postgres'
import type { CartContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { cartChanged } from '../errors.ts'
import type { PriceReading } from '../price-projection/read-prices.ts'
import { repriceCart } from '../pricing/reprice-cart.ts'
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

export type ClaimContext = Pick<CartContext, 'db' | 'projection' | 'messaging' | 'clock' | 'log' | 'ttlDays'>

/** Each further attempt means that one of the two carts changed in between. */
const MAX_ATTEMPTS = 5
const CHANGED = 'changed' as const

/**
 * Claims a guest cart for the customer who opened it: it becomes the customer's cart, or is merged into the customer's
 * open one.
 * @returns the cart that the customer continues with; undefined when the guest cart is no longer available
 */
export async function claimGuestCart(
  context: ClaimContext,
  guestId: string,
  customerId: string,
): Promise<StoredCart | undefined> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const claimed = await tryClaim(context, guestId, customerId)
    if (claimed !== CHANGED) return claimed
  }
  throw cartChanged()
}

/**
 * Makes a guest cart the customer's at its checkout, unless the customer has an open cart. The two are not merged,
 * because the customer has not seen their goods together (docs/decisions/0107).
 */
export async function claimForCheckout(
  { db, clock }: Pick<ClaimContext, 'db' | 'clock'>,
  guestId: string,
  customerId: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const now = clock.now()
    await lockCartsOf(tx, customerId)
    if (!(await findOpenCartOf(tx, customerId, now))) await claimCart(tx, guestId, customerId, now)
  })
}

async function tryClaim(
  context: ClaimContext,
  guestId: string,
  customerId: string,
): Promise<StoredCart | undefined | typeof CHANGED> {
  const { db, projection, clock } = context
  const own = await resumeCart(context, customerId)
  let reading: PriceReading | undefined
  const known = new Set<string>()
  if (own) {
    const guest = await findCart(db, guestId, clock.now())
    if (!guest || guest.customerId !== null) return guest
    // Guest carts do not record that they were at the checkout. If orders does not reply, `order.placed` arrives later,
    // and the bought goods are then removed from the cart that this one was merged into.
    if (guest.lines.length > 0 && (await isOrdered(context, guestId))) {
      await convertGuestCart(db, guestId, customerId)
      return undefined
    }
    for (const { variantId } of [...own.lines, ...guest.lines]) known.add(variantId)
    reading = await projection.read([...known])
  }
  return transaction(db, async (tx) => {
    const now = clock.now()
    await lockCartsOf(tx, customerId)
    const current = await findOpenCartOf(tx, customerId, now)
    if (current?.id !== own?.id) return CHANGED
    if (!current || !reading) return (await claimCart(tx, guestId, customerId, now)) ?? findCart(tx, guestId, now)
    const carts = await lockCarts(tx, [guestId, current.id], now)
    const [guest, mine] = [guestId, current.id].map((id) => carts.find((cart) => cart.id === id))
    if (!mine) return CHANGED
    // Another tab was faster, another customer claimed it, or the cart was bought.
    if (!guest || guest.customerId !== null) return findCart(tx, guestId, now)
    if ([...mine.lines, ...guest.lines].some(({ variantId }) => !known.has(variantId))) return CHANGED
    return merge(tx, mine, guest, { reading, now, expiresAt: expiryFrom(now, context.ttlDays) })
  })
}

async function merge(
  tx: Tx,
  mine: StoredCart,
  guest: StoredCart,
  { reading, now, expiresAt }: { reading: PriceReading; now: Date; expiresAt: Date },
): Promise<StoredCart | undefined> {
  const lines = mergeLines(mine.lines, guest.lines, reading.entries)
  // One code per cart: the customer's own stays while it is valid. The guest's code is tried at the next repricing,
  // which happens for this reply.
  const { discountCode: ownCode } = repriceCart({ ...mine, lines }, reading, now)
  const change = {
    lines,
    customerId: mine.customerId,
    expiresAt,
    discountCode: ownCode ?? guest.discount?.code ?? null,
    // A change that is retried for the guest cart must not be made again in this one.
    keys: guest.recentKeys,
  }
  if ((await saveLines(tx, mine, change)) === undefined)
    throw new Error(`a cart changed while it was locked: ${mine.id}`)
  await replaceByAlias(tx, guest.id, mine.id)
  return lockCart(tx, mine.id, now)
}
