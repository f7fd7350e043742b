import { replyTo, type Messaging } from '@storefront/messaging'
import type { ActorVerifier, Clock, Log } from '@storefront/service'
import { CheckDiscounts } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findFaults } from './redemptions.queries.ts'

/** Holds are settled within seconds; while orders restarts it may take a little longer. */
const OVERDUE_MS = 5 * 60_000
const MAX_FAULTS = 100

/** Reports where counts and discount redemptions do not agree, for the reconciliation. */
export function replyToCheckDiscounts(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
  clock: Clock
}): void {
  replyTo(context, CheckDiscounts, () =>
    findFaults(context.db, new Date(context.clock.now().getTime() - OVERDUE_MS), MAX_FAULTS),
  )
}
