import type { ActorVerifier, Clock, Log, Messaging } from '@storefront/chassis'
import type { Database } from './database.ts'
import type { PaymentProviders } from './payments/providers.ts'

/** What the operations of this service are given; each names the part it needs. */
export interface OrdersContext {
  db: Database
  messaging: Messaging
  log: Log
  clock: Clock
  verifyActor: ActorVerifier
  cookieCrossSite: boolean
  reservationTtlSeconds: number
  /** Who takes and gives back money, by name. */
  providers: PaymentProviders
}
