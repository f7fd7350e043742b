import { join } from 'node:path'
import { defineService, openRedis, systemClock, type Clock, type Log } from '@storefront/service'
import { recognizeBrowsers } from '@storefront/http'
import { startService, type StartedService } from '@storefront/service-start'
import { registerCart } from './app.ts'
import { CartConfig } from './config.ts'
import type { CartContext } from './context.ts'
import type { CartTables } from './database.ts'
import { createBuyerHasher } from './discounts/buyer-hash.ts'
import { hashAllOldBuyers } from './discounts/hash-old-buyers.ts'
import { openPriceReader } from './price-projection/read-prices.ts'

const MIGRATIONS = join(import.meta.dirname, '../migrations')

export type RunningCart = StartedService<CartContext>

export const service = defineService('cart', CartConfig, startCart)

export function startCart(config: CartConfig, log: Log, clock: Clock = systemClock): Promise<RunningCart> {
  return startService<CartTables, CartContext>(
    { name: 'cart', config, log, clock, migrations: MIGRATIONS },
    async (app, connections) => {
      const { messaging } = connections
      const redis = openRedis({ url: config.REDIS_URL, name: 'cart', log })
      const context: CartContext = {
        ...connections,
        redis,
        projection: openPriceReader({ redis, messaging, namespace: config.NAMESPACE, log }),
        ttlDays: config.CART_TTL_DAYS,
        browsers: await recognizeBrowsers(app, config),
        buyers: createBuyerHasher(config.BUYER_HASH_KEY, config.BUYER_HASH_KEY_PREVIOUS),
      }
      const registered = registerCart(app, context)
      await hashAllOldBuyers(context)
      return { ...registered, context, redis }
    },
  )
}
