import { replyTo, type Messaging } from '@storefront/messaging'
import type { ActorVerifier, Log } from '@storefront/service'
import { CheckReservations } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findByClaim } from './reservations.queries.ts'

/** Reports the status of holds, for the reconciliation in orders. Deleted ones are missing in the reply. */
export function replyToCheckReservations(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  replyTo(context, CheckReservations, async ({ claims }) => ({
    reservations: (await findByClaim(context.db, claims)).map(({ claim, status, expiresAt }) => ({
      claim,
      status,
      expiresAt: expiresAt.toISOString(),
    })),
  }))
}
