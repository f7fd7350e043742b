import { lookup } from 'node:dns'
import { join } from 'node:path'
import { PurgeCache } from '@storefront/contracts'
import {
  createLinkTokens,
  defineService,
  every,
  openRedis,
  systemClock,
  type Clock,
  type Log,
} from '@storefront/service'
import { createNameResolver, isPrivateAddress, type ResolveName } from '@storefront/http'
import { beat, createDatabase, ON_STANDBYS_AFTER_MS, requireFreshStandby } from '@storefront/postgres'
import { sendSignal, subscribeToSignal } from '@storefront/messaging'
import type { Kysely } from 'kysely'
import { startService, type StartedService } from '@storefront/service-start'
import { readAlertKey } from './alerts/alerts.queries.ts'
import { registerCatalog } from './app.ts'
import { CatalogConfig } from './config.ts'
import type { CatalogContext } from './context.ts'
import type { CatalogTables } from './database.ts'
import { LiveIndex } from './listings/live-index.ts'
import { openMediaStore } from './media/open-store.ts'
import { openPriceProjection } from './price-projection/price-projection.ts'
import { fillEmptyLists, renewResponses } from './products/renew-responses.ts'
import { publicReads, type PublicReads } from './public-reads.ts'
import { createPictureSource } from './transfer/picture-source.ts'

const BEAT_MS = 1000
/** Shorter than for the primary, which is read when the standby does not respond. */
const STANDBY_CONNECT_MS = 500
const STANDBY_RESULT_MS = 2000
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
      const publicUrl = config.PUBLIC_URL.replace(/\/+$/, '')
      await renewResponses(db, publicUrl)
      const redis = openRedis({ url: config.REDIS_URL, name: 'catalog', log })
      const pictures = createPictureSource({
        isPrivate: config.PICTURES_ALLOW_PRIVATE ? () => false : isPrivateAddress,
        resolve,
        timeoutMs: config.PICTURES_TIMEOUT_MS,
      })
      const standby = openStandby(config, log)
      const reads = publicReads(db, standby, log)
      if (standby) noteWritesOfReplicas(connections, reads)
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
        pictures,
        purge: (keys: readonly string[], change) => {
          if (change) reads.noteWrite(keys)
          sendSignal(messaging, PurgeCache, {
            keys: [...keys],
            ...(standby && { ...change, againAfterMs: ON_STANDBYS_AFTER_MS }),
          })
        },
      }
      await fillEmptyLists(context)
      await context.lists.follow()
      const registered = registerCatalog(app, context)
      const beats = standby ? [every(BEAT_MS, 'beat for standbys', log, () => beat(db))] : []
      return {
        ...registered,
        timers: [...registered.timers, ...beats],
        context,
        redis,
        close: async () => {
          await pictures.close()
          await standby?.destroy()
        },
      }
    },
  )
}

/** A merchant's next request may come to another replica than the write. */
function noteWritesOfReplicas(context: Pick<CatalogContext, 'messaging' | 'log'>, reads: PublicReads): void {
  subscribeToSignal(context, PurgeCache, ({ keys, byMerchant }) => {
    if (byMerchant) reads.noteWrite(keys)
  })
}

function openStandby(config: CatalogConfig, log: Log): Kysely<CatalogTables> | undefined {
  const url = config.DATABASE_STANDBY_URL
  if (url === undefined) return undefined
  return createDatabase<CatalogTables>({
    url,
    poolSize: config.DATABASE_POOL,
    connectMs: STANDBY_CONNECT_MS,
    resultMs: STANDBY_RESULT_MS,
    accept: requireFreshStandby(),
    name: 'catalog-reads',
    log,
  })
}
