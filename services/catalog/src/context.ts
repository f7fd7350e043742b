import type { LinkTokens, RedisClient } from '@storefront/service'
import type { Connections } from '@storefront/service-start'
import type { AlertPurpose } from './alerts/alert.ts'
import type { PriceProjection } from './price-projection/price-projection.ts'
import type { CatalogTables } from './database.ts'
import type { LiveIndex } from './listings/live-index.ts'
import type { MediaStore } from './media/store.ts'
import type { OpenPublicReads } from './public-reads/public-reads.ts'
import type { PictureSource } from './transfer/picture-source.ts'

/** The dependencies of this service's operations; each names the part that it needs. */
export interface CatalogContext extends Connections<CatalogTables> {
  lists: LiveIndex
  publicReads: OpenPublicReads
  redis: RedisClient
  projection: PriceProjection
  publicUrl: string
  /** Address of the storefront, which the links in mails lead to. */
  storefrontUrl: string
  alertTokens: LinkTokens<AlertPurpose>
  mediaDir: string
  media: MediaStore
  mediaUploadMs: number
  /** Products that a bulk edit changes in one transaction. */
  bulkEditBatch: number
  importJsonMaxMib: number
  /** How often this replica looks for work that has become due. */
  pollMs: number
  /** Pictures on other servers, for imports. */
  pictures: PictureSource
  /**
   * Makes every gateway purge cached responses with these surrogate keys. With `byMerchant`, every replica of catalog
   * also reads the changed data from the primary until the standbys have them.
   */
  purge: (keys: readonly string[], change?: { byMerchant: true }) => void
}
