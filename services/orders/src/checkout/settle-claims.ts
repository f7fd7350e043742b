import { replyTo, type Messaging } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { ActorVerifier, Clock, Log } from '@storefront/service'
import { SettleClaims } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { abandonClaims, findVerdicts, lockClaims } from './claims.queries.ts'

/**
 * Catalog and cart request the verdict on holds whose deadline has passed. The request decides it: a hold that has neither
 * an order nor an open payment page by then never gets an order.
 */
export function replyToSettleClaims(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
  clock: Clock
}): void {
  replyTo(context, SettleClaims, ({ claims }) =>
    transaction(context.db, async (tx) => {
      await lockClaims(tx, claims)
      await abandonClaims(tx, claims, context.clock.now())
      return { verdicts: await findVerdicts(tx, claims) }
    }),
  )
}
