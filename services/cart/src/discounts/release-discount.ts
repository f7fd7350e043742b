import { answer, transaction, type ActorVerifier, type Log, type Messaging } from '@storefront/chassis'
import { ReleaseDiscount } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { releaseUses } from './uses.queries.ts'

/** Releases the discount redemption of a failed checkout. Orders has recorded the claim as abandoned before. */
export function answerReleaseDiscount(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  answer(context, ReleaseDiscount, async ({ claim }) => {
    const released = await transaction(context.db, (tx) => releaseUses(tx, [claim], ['held']))
    return { released: released > 0 }
  })
}
