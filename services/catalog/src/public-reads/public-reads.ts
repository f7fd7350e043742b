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
import type { CatalogConfig } from '../config.ts'
import type { CatalogTables, Database } from '../database.ts'

const HEARTBEAT_MS = 1000
/** Shorter than for the primary, which is used when the standby does not respond. */
const STANDBY_CONNECT_MS = 500
const STANDBY_RESULT_MS = 2000
/** With more changes than this within some seconds, everything is read on the primary. */
const MAX_KEYS = 10_000
const EVERYTHING = '*'

/**
 * Reads public pages on standbys, if there are any. Pages that a merchant has just changed are read on the primary, so
 * that the merchant sees the change at once, and so are pages that a standby does not have.
 */
interface PublicReads {
  /**
   * @param keys surrogate keys that follow from the address of the page
   * @param read finds the page
   * @param keysOf the page's own surrogate keys, which differ under a former slug
   */
  readPage: <Page>(
    keys: readonly string[],
    read: (db: Database) => Promise<Page | undefined>,
    keysOf?: (page: Page) => readonly string[],
  ) => Promise<Page | undefined>
  /** A list may show any product. */
  readList: ReadFrom<CatalogTables>
  /** Records the surrogate keys of a merchant's change. */
  noteWrite: (keys: readonly string[]) => void
}

export interface OpenPublicReads extends PublicReads {
  /** The time in milliseconds after which no read finds the state before a write; undefined without standbys. */
  currentAfterMs: number | undefined
  timers: readonly Timer[]
  close: () => Promise<void>
}

/** Connects to the standbys, if there are any, and records what merchants change through other replicas. */
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
