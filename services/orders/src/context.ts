import type { ActorVerifier, Clock, Log, Messaging } from '@storefront/chassis'
import type { Database } from './database.ts'
import type { PaymentProvider } from './payments/provider.ts'

/** What the operations of this service are given; each names the part it needs. */
export interface OrdersContext {
  db: Database
  messaging: Messaging
  log: Log
  clock: Clock
  verifyActor: ActorVerifier
  cookieCrossSite: boolean
  reservationTtlSeconds: number
  /** Everybody who can be asked for money, by name. */
  providers: ReadonlyMap<string, PaymentProvider>
}
