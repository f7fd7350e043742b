import { LRUCache } from 'lru-cache'
import { entryBytes, type Entry } from './entry.ts'

/** This key drops everything. */
export const EVERYTHING = '*'

/** Purges remembered at once; beyond that, all running fetches count as superseded. */
const MAX_REMEMBERED_PURGES = 10_000

export interface Store {
  get(key: string): Entry | undefined
  /** Keeps an entry that was fetched from `since` on, unless a purge has superseded it or it is too large. */
  keep(entry: Entry, since: number): 'kept' | 'superseded' | 'too large'
  /** Updates the size of an entry that has grown. */
  grown(entry: Entry): void
  drop(entry: Entry): void
  /** Drops every entry that was made from one of these, including those that are still being fetched. */
  purge(tags: readonly string[]): void
  clear(): void
  /** A position in the order of purges: read before a fetch begins, and passed to `keep` after it. */
  fetchBegins(): number
  fetchEnds(): void
  readonly bytes: number
  readonly size: number
}

/**
 * Responses by key, limited in bytes, with an index of the data they were made from.
 *
 * When a write commits and its purge arrives, a response that was read before the commit may still be on its way here.
 * If it were kept, all clients would see the old state for a minute. So purges are numbered, and the numbers of those
 * that arrived while anything was being fetched are remembered until no fetch is running.
 */
export function createStore(maxBytes: number): Store {
  const byTag = new Map<string, Set<Entry>>()
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes,
    sizeCalculation: entryBytes,
    dispose: deleteTags,
  })
  const purged = new Map<string, number>()
  let clearedAt = 0
  let clock = 0
  let fetching = 0

  function deleteTags(entry: Entry): void {
    for (const tag of entry.tags) {
      const tagged = byTag.get(tag)
      tagged?.delete(entry)
      if (tagged?.size === 0) byTag.delete(tag)
    }
  }

  function clear(): void {
    clearedAt = ++clock
    entries.clear()
    byTag.clear()
  }

  return {
    get: (key) => entries.get(key),
    keep(entry, since) {
      if (clearedAt > since || entry.tags.some((tag) => (purged.get(tag) ?? 0) > since)) return 'superseded'
      entries.set(entry.key, entry)
      if (!entries.has(entry.key)) return 'too large'
      for (const tag of entry.tags) {
        const tagged = byTag.get(tag)
        if (tagged) tagged.add(entry)
        else byTag.set(tag, new Set([entry]))
      }
      return 'kept'
    },
    grown(entry) {
      if (entries.peek(entry.key) === entry) entries.set(entry.key, entry)
    },
    drop(entry) {
      if (entries.peek(entry.key) === entry) entries.delete(entry.key)
    },
    purge(tags) {
      if (tags.includes(EVERYTHING)) {
        clear()
        return
      }
      clock++
      for (const tag of tags) {
        if (fetching > 0) purged.set(tag, clock)
        for (const entry of byTag.get(tag) ?? []) entries.delete(entry.key)
      }
      if (purged.size > MAX_REMEMBERED_PURGES) {
        clearedAt = clock
        purged.clear()
      }
    },
    clear,
    fetchBegins() {
      fetching++
      return clock
    },
    fetchEnds() {
      if (--fetching === 0) purged.clear()
    },
    get bytes() {
      return entries.calculatedSize
    },
    get size() {
      return entries.size
    },
  }
}
