import { ON_STANDBYS_AFTER_MS, readFromStandby, type ReadFrom } from '@storefront/postgres'
import type { Log } from '@storefront/service'
import type { CatalogTables, Database } from './database.ts'

/** More changes than this within some seconds, and everything is read on the primary. */
const MAX_KEYS = 10_000
const EVERYTHING = '*'

/**
 * Where public pages are read: on standbys, if there are any, but on the primary what a merchant has just changed. They
 * see their change as soon as it is saved, and no cache gets the state before it.
 */
export interface PublicReads {
  /** @param keys surrogate keys of what is read */
  readPage: <Result>(keys: readonly string[], read: (db: Database) => Promise<Result>) => Promise<Result>
  /** A list may show any product. */
  readList: ReadFrom<CatalogTables>
  /** Notes what a merchant changed. */
  noteWrite: (keys: readonly string[]) => void
}

export function publicReads(primary: Database, standby: Database | undefined, log: Log): PublicReads {
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
    readPage(keys, read) {
      deleteOld()
      const isChanged = [EVERYTHING, ...keys].some((key) => changedMs.has(key))
      return isChanged ? read(primary) : onStandby(read)
    },
    readList(read) {
      deleteOld()
      return changedMs.size > 0 ? read(primary) : onStandby(read)
    },
    noteWrite(keys) {
      if (!standby) return
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
