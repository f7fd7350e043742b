import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { actorVerifier, openRedis, stopService, systemClock, type Clock, type Log } from '@storefront/service'
import { assertMigrated, createDatabase } from '@storefront/postgres'
import { createApp, recognizeBrowsers, type App } from '@storefront/http'
import { firstConnections, openMessaging } from '@storefront/messaging'
import { registerCart } from './app.ts'
import { openPriceReader } from './price-projection/read-prices.ts'
import type { CartConfig } from './config.ts'
import type { CartTables } from './database.ts'
import { createBuyerHasher } from './discounts/buyer-hash.ts'
import { hashOldBuyers } from './discounts/hash-old-buyers.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

export interface RunningCart {
  app: App
  url: string
  stop(): Promise<void>
}

/** Connects, registers and listens; stops in the opposite order. */
export async function startCart(config: CartConfig, log: Log, clock: Clock = systemClock): Promise<RunningCart> {
  const { BUYER_HASH_KEY, BUYER_HASH_KEY_PREVIOUS } = config
  const verifyActor = actorVerifier(config.ACTOR_PUBLIC_KEY, clock)
  const db = createDatabase<CartTables>({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL, name: 'cart', log })
  await assertMigrated(db, MIGRATIONS)
  const redis = openRedis({ url: config.REDIS_URL, name: 'cart', log })
  const messaging = openMessaging({ url: config.NATS_URL, service: 'cart', namespace: config.NAMESPACE, log })

  const app = await createApp({
    log,
    verifyActor,
    checkReady: async () => void (await sql`select 1`.execute(db)),
    undeclaredErrors: config.UNDECLARED_ERRORS,
  })
  const buyers = createBuyerHasher(BUYER_HASH_KEY, BUYER_HASH_KEY_PREVIOUS)
  const browsers = await recognizeBrowsers(app, config)
  const { timers, consumers } = registerCart(app, {
    db,
    redis,
    messaging,
    projection: openPriceReader({ redis, messaging, namespace: config.NAMESPACE, log }),
    log,
    clock,
    verifyActor,
    ttlDays: config.CART_TTL_DAYS,
    browsers,
    buyers,
  })
  await hashOldBuyers({ db, buyers })
  await firstConnections({ messaging, redis })
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ url }, 'cart is listening')
  return {
    app,
    url,
    stop: () => stopService({ app, delayMs: config.STOP_DELAY_MS, consumers, timers, messaging, redis, db }),
  }
}
