import type { RedisClient } from '@storefront/service'
import type { Browsers } from '@storefront/http'
import type { Connections } from '@storefront/service-start'
import type { PriceReader } from './price-projection/read-prices.ts'
import type { CartTables } from './database.ts'
import type { BuyerHasher } from './discounts/buyer-hash.ts'

/** The dependencies of this service's operations; each names the part that it needs. */
export interface CartContext extends Connections<CartTables> {
  redis: RedisClient
  projection: PriceReader
  ttlDays: number
  browsers: Browsers
  /** Hashes the buyers of discount redemptions. */
  buyers: BuyerHasher
}
