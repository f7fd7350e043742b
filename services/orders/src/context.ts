import type { ActorVerifier, Clock, Log, Messaging } from '@storefront/chassis'
import type { Database } from './database.ts'

/** What the operations of this service are given; each names the part it needs. */
export interface OrdersContext {
  db: Database
  messaging: Messaging
  log: Log
  clock: Clock
  verifyActor: ActorVerifier
  cookieCrossSite: boolean
  reservationTtlSeconds: number
  /** Whether lookups of one order are counted. */
  lookupsAreLimited: boolean
}
