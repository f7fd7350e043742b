import { publishAll } from '@storefront/messaging'
import { WishlistRemoved } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { deleteAllEntries, deleteEntries, type WishlistEntry } from './wishlist.queries.ts'

export async function removeEntries(tx: Tx, entries: readonly WishlistEntry[], at: Date): Promise<void> {
  await deleteEntries(
    tx,
    entries.map(({ id }) => id),
  )
  await publishRemovals(tx, entries, at)
}

export async function removeAllEntries(tx: Tx, customerId: string, at: Date): Promise<void> {
  await publishRemovals(tx, await deleteAllEntries(tx, customerId), at)
}

async function publishRemovals(tx: Tx, entries: readonly WishlistEntry[], at: Date): Promise<void> {
  const removals = entries.map(({ id, productId }) => ({ entryId: id, productId }))
  await publishAll(tx, WishlistRemoved, removals, at)
}
