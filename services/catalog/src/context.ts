import type { ActorVerifier, Clock, Log, RedisClient } from '@storefront/service'
import type { Messaging } from '@storefront/messaging'
import type { PriceProjection } from './price-projection/price-projection.ts'
import type { Database } from './database.ts'
import type { LiveIndex } from './listings/live-index.ts'
import type { MediaStore } from './media/store.ts'
import type { PictureSource } from './transfer/picture-source.ts'

/** What the operations of this service depend on; each names the part it needs. */
export interface CatalogContext {
  db: Database
  lists: LiveIndex
  redis: RedisClient
  messaging: Messaging
  projection: PriceProjection
  log: Log
  clock: Clock
  verifyActor: ActorVerifier
  publicUrl: string
  mediaDir: string
  media: MediaStore
  mediaUploadMs: number
  /** Pictures on other servers, for imports. */
  pictures: PictureSource
  /** Makes the gateways purge cached responses with these surrogate keys. */
  purge: (keys: readonly string[]) => void
}
