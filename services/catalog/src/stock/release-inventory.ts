import { replyTo } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { ReleaseInventory } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { releaseHolds } from './end-reservations.ts'

/** Releases the reservation of a failed checkout. Orders has recorded the claim as abandoned before. */
export function replyToReleaseInventory(context: CatalogContext): void {
  replyTo(context, ReleaseInventory, async ({ claim }) => {
    const changed = await transaction(context.db, (tx) => releaseHolds(tx, [claim], context.clock.now()))
    await context.projection.writeStock(changed)
    return { released: changed.length > 0 }
  })
}
