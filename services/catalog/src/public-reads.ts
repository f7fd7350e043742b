import { PurgeCache } from '@storefront/contracts'
import { subscribeToSignal, type Messaging } from '@storefront/messaging'
import {
  createDatabase,
  ON_STANDBYS_AFTER_MS,
  readFromStandby,
  requireFreshStandby,
  writeHeartbeat,
  type ReadFrom,
} from '@storefront/postgres'
import { every, HttpError, type Log, type Timer } from '@storefront/service'
import type { CatalogConfig } from './config.ts'
import type { CatalogTables, Database } from './database.ts'

const HEARTBEAT_MS = 1000
/** Shorter than for the primary, which is read when the standby does not respond. */
const STANDBY_CONNECT_MS = 500
const STANDBY_RESULT_MS = 2000
/** More changes than this within some seconds, and everything is read on the primary. */
const MAX_KEYS = 10_000
const EVERYTHING = '*'

/**
 * Where public pages are read: on standbys, if there are any, but on the primary what a merchant has just changed, so
 * that they see their change as soon as it is saved. What a standby does not have may be on the primary.
 */
export interface PublicReads {
  /**
   * @param keys surrogate keys of the page, as far as its address tells them
   * @param read finds the page
   * @param keysOf those of the page itself: under a former slug they are others
   */
  readPage: <Page>(
    keys: readonly string[],
    read: (db: Database) => Promise<Page | undefined>,
    keysOf?: (page: Page) => readonly string[],
  ) => Promise<Page | undefined>
  /** A list may show any product. */
  readList: ReadFrom<CatalogTables>
  /** Notes what a merchant changed. */
  noteWrite: (keys: readonly string[]) => void
}

export interface OpenPublicReads extends PublicReads {
  /** After this time no read finds the state before a write, in milliseconds; undefined without standbys. */
  currentAfterMs: number | undefined
  timers: readonly Timer[]
  close: () => Promise<void>
}

/** Connects to the standbys, if there are any, and notes what merchants change through other replicas. */
export function openPublicReads(
  config: CatalogConfig,
  context: { db: Database; messaging: Messaging; log: Log },
): OpenPublicReads {
  const { db, log } = context
  const standby = openStandby(config, log)
  const reads = publicReads(db, standby, log)
  if (!standby) return { ...reads, currentAfterMs: undefined, timers: [], close: async () => {} }
  subscribeToSignal(context, PurgeCache, ({ keys, byMerchant }) => {
    if (byMerchant) reads.noteWrite(keys)
  })
  return {
    ...reads,
    currentAfterMs: ON_STANDBYS_AFTER_MS,
    timers: [every(HEARTBEAT_MS, 'heartbeat for standbys', log, () => writeHeartbeat(db))],
    close: () => standby.destroy(),
  }
}

function openStandby(config: CatalogConfig, log: Log): Database | undefined {
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

/** @param standby without one everything is read on the primary */
export function publicReads(primary: Database, standby: Database | undefined, log: Log): PublicReads {
  if (!standby) return { readPage: (_keys, read) => read(primary), readList: (read) => read(primary), noteWrite() {} }
  const onStandby = readFromStandby(primary, standby, log)
  /** When each key was changed, the oldest first. */
  const changedMs = new Map<string, number>()

  function deleteOld(): void {
    const sinceMs = performance.now() - ON_STANDBYS_AFTER_MS
    for (const [key, atMs] of changedMs) {
      if (atMs > sinceMs) return
      changedMs.delete(key)
    }
  }

  return {
    async readPage(keys, read, keysOf = () => []) {
      deleteOld()
      const isChanged = (names: readonly string[]) => [EVERYTHING, ...names].some((key) => changedMs.has(key))
      const page = isChanged(keys) ? undefined : await onStandby(read)
      return page === undefined || isChanged(keysOf(page)) ? read(primary) : page
    },
    async readList(read) {
      deleteOld()
      if (changedMs.size > 0) return read(primary)
      try {
        return await onStandby(read)
      } catch (error) {
        if (error instanceof HttpError && error.code === 'not_found') return read(primary)
        throw error
      }
    },
    noteWrite(keys) {
      deleteOld()
      const isTooMany = changedMs.size + keys.length > MAX_KEYS
      if (isTooMany) changedMs.clear()
      for (const key of isTooMany ? [EVERYTHING] : keys) {
        changedMs.delete(key)
        changedMs.set(key, performance.now())
      }
    },
  }
}
