import { lookup } from 'node:dns'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { actorVerifier, openRedis, stopService, systemClock, type Clock, type Log } from '@storefront/service'
import { assertMigrated, createDatabase } from '@storefront/postgres'
import { createApp, createNameResolver, isPrivateAddress, type App, type ResolveName } from '@storefront/http'
import { firstConnections, openMessaging, sendSignal } from '@storefront/messaging'
import { PurgeCache } from '@storefront/contracts'
import { registerCatalog } from './app.ts'
import { openPriceProjection } from './price-projection/price-projection.ts'
import type { CatalogConfig } from './config.ts'
import type { CatalogTables } from './database.ts'
import { LiveIndex } from './listings/live-index.ts'
import { openMediaStore } from './media/open-store.ts'
import { fillEmptyLists, renewResponses } from './products/renew-responses.ts'
import { createPictureSource } from './transfer/picture-source.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

export interface RunningCatalog {
  app: App
  url: string
  stop(): Promise<void>
}

/**
 * Connects, registers and listens; stops in the opposite order.
 * @param resolve finds the addresses of the hosts of pictures
 */
export async function startCatalog(
  config: CatalogConfig,
  log: Log,
  clock: Clock = systemClock,
  // Search domains lead to internal hosts.
  resolve: ResolveName = createNameResolver({ system: config.PICTURES_ALLOW_PRIVATE ? lookup : undefined }),
): Promise<RunningCatalog> {
  const verifyActor = actorVerifier(config.ACTOR_PUBLIC_KEY, clock)
  const db = createDatabase<CatalogTables>({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL,
    name: 'catalog',
    log,
  })
  await assertMigrated(db, MIGRATIONS)
  const redis = openRedis({ url: config.REDIS_URL, name: 'catalog', log })
  const messaging = openMessaging({ url: config.NATS_URL, service: 'catalog', namespace: config.NAMESPACE, log })
  const publicUrl = config.PUBLIC_URL.replace(/\/+$/, '')
  await renewResponses(db, publicUrl)
  const pictures = createPictureSource({
    isPrivate: config.PICTURES_ALLOW_PRIVATE ? () => false : isPrivateAddress,
    resolve,
    timeoutMs: config.PICTURES_TIMEOUT_MS,
  })

  const app = await createApp({
    log,
    verifyActor,
    checkReady: async () => void (await sql`select 1`.execute(db)),
    undeclaredErrors: config.UNDECLARED_ERRORS,
  })
  const context = {
    db,
    lists: new LiveIndex(db, log),
    redis,
    messaging,
    projection: openPriceProjection(redis, config.NAMESPACE, log),
    log,
    clock,
    verifyActor,
    publicUrl,
    mediaDir: config.MEDIA_DIR,
    media: openMediaStore(config),
    mediaUploadMs: config.MEDIA_UPLOAD_TIMEOUT_MS,
    pictures,
    purge: (keys: readonly string[]) => sendSignal(messaging, PurgeCache, { keys: [...keys] }),
  }
  await fillEmptyLists(context)
  await context.lists.follow()
  const { timers, consumers } = registerCatalog(app, context)
  await firstConnections({ messaging, redis })
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ url }, 'catalog is listening')
  return {
    app,
    url,
    async stop() {
      await stopService({ app, delayMs: config.STOP_DELAY_MS, consumers, timers, messaging, redis, db })
      await pictures.close()
    },
  }
}
