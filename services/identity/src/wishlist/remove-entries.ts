import { publishAll } from '@storefront/messaging'
import { WishlistRemoved } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { deleteEntries, type WishlistEntry } from './wishlist.queries.ts'

export async function removeEntries(tx: Tx, entries: readonly WishlistEntry[], at: Date): Promise<void> {
  const removals = entries.map(({ id, productId }) => ({ entryId: id, productId }))
  await deleteEntries(
    tx,
    removals.map(({ entryId }) => entryId),
  )
  await publishAll(tx, WishlistRemoved, removals, at)
}
