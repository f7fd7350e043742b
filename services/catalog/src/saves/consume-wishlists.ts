import { consume, type Consumer } from '@storefront/messaging'
import { WishlistRemoved, WishlistSaved } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { queueRefresh } from '../products/responses.queries.ts'
import { recordRemovals, recordSaves } from './saves.queries.ts'

/** Counts a product that a customer put on a wishlist. */
export function consumeWishlistSaved(context: CatalogContext): Consumer {
  return consume(context, WishlistSaved, async (tx, events) => {
    const saves = events.map((event) => event.data)
    await recordSaves(tx, saves, context.clock.now())
    const productIds = saves.map((save) => save.productId)
    await queueRefresh(tx, productIds)
  })
}

/** Removes an entry from the count. If this event arrives before that of the save, the save is not counted. */
export function consumeWishlistRemoved(context: CatalogContext): Consumer {
  return consume(context, WishlistRemoved, async (tx, events) => {
    const removals = events.map((event) => event.data)
    await recordRemovals(tx, removals, context.clock.now())
    const productIds = removals.map((removal) => removal.productId)
    await queueRefresh(tx, productIds)
  })
}
