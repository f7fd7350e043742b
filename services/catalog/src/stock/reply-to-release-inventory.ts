import { replyTo, type Messaging } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { ActorVerifier, Clock, Log } from '@storefront/service'
import { ReleaseInventory } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { releaseHolds } from './end-reservations.ts'
import type { ChangedStock } from './stock.queries.ts'

/** Releases the reservation of a failed checkout. Orders has recorded the claim as abandoned before. */
export function replyToReleaseInventory(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
  clock: Clock
  stockChanged: (changed: readonly ChangedStock[]) => Promise<void>
}): void {
  replyTo(context, ReleaseInventory, async ({ claim }) => {
    const changed = await transaction(context.db, (tx) => releaseHolds(tx, [claim], context.clock.now()))
    await context.stockChanged(changed)
    return { released: changed.length > 0 }
  })
}
