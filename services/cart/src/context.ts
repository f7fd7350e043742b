import type { ActorVerifier, Clock, Log, RedisClient } from '@storefront/service'
import type { Browsers } from '@storefront/http'
import type { Messaging } from '@storefront/messaging'
import type { PriceReader } from './price-projection/read-prices.ts'
import type { Database } from './database.ts'
import type { BuyerHasher } from './discounts/buyer-hash.ts'

/** What the operations of this service depend on; each names the part it needs. */
export interface CartContext {
  db: Database
  redis: RedisClient
  messaging: Messaging
  projection: PriceReader
  log: Log
  clock: Clock
  verifyActor: ActorVerifier
  ttlDays: number
  browsers: Browsers
  /** Computes what is stored of the buyers of discount redemptions. */
  buyers: BuyerHasher
}
