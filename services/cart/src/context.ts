import type { ActorVerifier, Browsers, Clock, Log, Messaging, RedisClient } from '@storefront/chassis'
import type { BoardReader } from './board/read-board.ts'
import type { Database } from './database.ts'
import type { BuyerHasher } from './discounts/buyer-hash.ts'

/** What the operations of this service depend on; each names the part it needs. */
export interface CartContext {
  db: Database
  redis: RedisClient
  messaging: Messaging
  board: BoardReader
  log: Log
  clock: Clock
  verifyActor: ActorVerifier
  ttlDays: number
  browsers: Browsers
  /** Computes what is stored of the buyers of discount redemptions. */
  buyers: BuyerHasher
}
