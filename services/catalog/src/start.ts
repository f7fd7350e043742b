import { lookup } from 'node:dns'
import { join } from 'node:path'
import { createLinkTokens, defineService, openRedis, systemClock, type Clock, type Log } from '@storefront/service'
import { createNameResolver, isPrivateAddress, type ResolveName } from '@storefront/http'
import { startService, type StartedService } from '@storefront/service-start'
import { readAlertKey } from './alerts/alerts.queries.ts'
import { registerCatalog } from './app.ts'
import { CatalogConfig } from './config.ts'
import type { CatalogContext } from './context.ts'
import type { CatalogTables } from './database.ts'
import { LiveIndex } from './listings/live-index.ts'
import { openMediaStore } from './media/open-store.ts'
import { purgeCaches } from './merchant/purge-caches.ts'
import { openPriceProjection } from './price-projection/price-projection.ts'
import { fillEmptyLists, renewResponses } from './products/renew-responses.ts'
import { openPublicReads } from './public-reads/public-reads.ts'
import { createPictureSource } from './transfer/picture-source.ts'

const MIGRATIONS = join(import.meta.dirname, '../migrations')

export type RunningCatalog = StartedService<CatalogContext>

export const service = defineService('catalog', CatalogConfig, startCatalog)

/** @param resolve finds the addresses of the hosts of pictures */
export function startCatalog(
  config: CatalogConfig,
  log: Log,
  clock: Clock = systemClock,
  // Search domains lead to internal hosts.
  resolve: ResolveName = createNameResolver({ system: config.PICTURES_ALLOW_PRIVATE ? lookup : undefined }),
): Promise<RunningCatalog> {
  return startService<CatalogTables, CatalogContext>(
    { name: 'catalog', config, log, clock, migrations: MIGRATIONS },
    async (app, connections) => {
      const { db, messaging } = connections
      const publicUrl = config.PUBLIC_URL
      await renewResponses(db, publicUrl, clock.now())
      const redis = openRedis({ url: config.REDIS_URL, name: 'catalog', log })
      const pictures = createPictureSource({
        isPrivate: config.PICTURES_ALLOW_PRIVATE ? () => false : isPrivateAddress,
        resolve,
        timeoutMs: config.PICTURES_TIMEOUT_MS,
      })
      const reads = openPublicReads(config, connections)
      const context: CatalogContext = {
        ...connections,
        lists: new LiveIndex(db, reads.readList, log),
        publicReads: reads,
        redis,
        projection: openPriceProjection(redis, config.NAMESPACE, log),
        publicUrl,
        storefrontUrl: config.STOREFRONT_URL,
        alertTokens: createLinkTokens(await readAlertKey(db)),
        mediaDir: config.MEDIA_DIR,
        media: openMediaStore(config),
        mediaUploadMs: config.MEDIA_UPLOAD_TIMEOUT_MS,
        bulkEditBatch: config.BULK_EDIT_BATCH,
        importJsonMaxMib: config.IMPORT_JSON_MAX_MIB,
        pollMs: config.POLL_INTERVAL_MS,
        pictures,
        purge: purgeCaches(messaging, reads),
      }
      await fillEmptyLists(context)
      await context.lists.follow()
      return {
        ...registerCatalog(app, context),
        context,
        redis,
        close: async () => {
          await pictures.close()
          await reads.close()
        },
      }
    },
  )
}
