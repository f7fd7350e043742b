import { consume, type Consumer, type Messaging } from '@storefront/messaging'
import type { Clock, Log } from '@storefront/service'
import { WishlistRemoved, WishlistSaved } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { queueRefresh } from '../products/responses.queries.ts'
import { recordRemovals, recordSaves } from './saves.queries.ts'

interface Context {
  db: Database
  messaging: Messaging
  log: Log
  clock: Clock
}

/** Counts a product that a customer put on a wishlist. */
export function consumeWishlistSaved(context: Context): Consumer {
  return consume(context, WishlistSaved, async (tx, events) => {
    const saves = events.map((event) => event.data)
    await recordSaves(tx, saves, context.clock.now())
    await queueRefresh(
      tx,
      saves.map((save) => save.productId),
    )
  })
}

/** Removes it from the count. This event may arrive before that of the save, which is then not counted. */
export function consumeWishlistRemoved(context: Context): Consumer {
  return consume(context, WishlistRemoved, async (tx, events) => {
    const removals = events.map((event) => event.data)
    await recordRemovals(tx, removals, context.clock.now())
    await queueRefresh(
      tx,
      removals.map((removal) => removal.productId),
    )
  })
}
