import { replyTo, type Messaging } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { ActorVerifier, Log } from '@storefront/service'
import { ReleaseDiscount } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { releaseRedemptions } from './redemptions.queries.ts'

/** Releases the discount redemption of a failed checkout. Orders has recorded the claim as abandoned before. */
export function replyToReleaseDiscount(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  replyTo(context, ReleaseDiscount, async ({ claim }) => {
    const released = await transaction(context.db, (tx) => releaseRedemptions(tx, [claim], ['held']))
    return { released: released > 0 }
  })
}
