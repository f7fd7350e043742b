import { LRUCache } from 'lru-cache'
import { entryBytes, type Entry } from './entry.ts'

/** This key drops everything. */
export const EVERYTHING = '*'

/** Purges remembered at once; beyond that, all running fetches count as superseded. */
const MAX_REMEMBERED_PURGES = 10_000

/**
 * Responses by key, limited in bytes, with an index of the data they were made from.
 *
 * When the purge of a write arrives, a response that was read before the commit may still be on its way. If it were
 * kept, all clients would see the old state for a minute. So purges are numbered, and those that arrive while anything
 * is being fetched are remembered until no fetch is running.
 */
export class Store {
  readonly #entries: LRUCache<string, Entry>
  readonly #byTag = new Map<string, Set<Entry>>()
  readonly #purged = new Map<string, number>()
  #clearedAt = 0
  #lastPurge = 0
  #fetching = 0

  constructor(maxBytes: number) {
    this.#entries = new LRUCache<string, Entry>({
      maxSize: maxBytes,
      maxEntrySize: maxBytes,
      sizeCalculation: entryBytes,
      dispose: (entry) => this.#deleteTags(entry),
    })
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  /** Keeps an entry that was fetched from `since` on, unless a purge has superseded it or it is too large. */
  keep(entry: Entry, since: number): 'kept' | 'superseded' | 'too large' {
    if (this.#clearedAt > since || entry.tags.some((tag) => (this.#purged.get(tag) ?? 0) > since)) return 'superseded'
    return this.#add(entry) ? 'kept' : 'too large'
  }

  /** Updates the size of an entry that has grown, which drops it when it is too large now. */
  grown(entry: Entry): void {
    if (this.#entries.peek(entry.key) !== entry) return
    // Setting the same object again would not update its size.
    this.#entries.delete(entry.key)
    this.#add(entry)
  }

  drop(entry: Entry): void {
    if (this.#entries.peek(entry.key) === entry) this.#entries.delete(entry.key)
  }

  /** Drops every entry that was made from one of these, including those that are still being fetched. */
  purge(tags: readonly string[]): void {
    if (tags.includes(EVERYTHING)) {
      this.clear()
      return
    }
    this.#lastPurge++
    for (const tag of tags) {
      if (this.#fetching > 0) this.#purged.set(tag, this.#lastPurge)
      for (const entry of this.#byTag.get(tag) ?? []) this.#entries.delete(entry.key)
    }
    if (this.#purged.size > MAX_REMEMBERED_PURGES) {
      this.#clearedAt = this.#lastPurge
      this.#purged.clear()
    }
  }

  clear(): void {
    this.#clearedAt = ++this.#lastPurge
    this.#entries.clear()
    this.#byTag.clear()
  }

  /** A position in the order of purges: read before a fetch begins, and passed to `keep` after it. */
  fetchBegins(): number {
    this.#fetching++
    return this.#lastPurge
  }

  fetchEnds(): void {
    if (--this.#fetching === 0) this.#purged.clear()
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }

  get size(): number {
    return this.#entries.size
  }

  /** @returns false when it is too large */
  #add(entry: Entry): boolean {
    this.#entries.set(entry.key, entry)
    if (!this.#entries.has(entry.key)) return false
    for (const tag of entry.tags) {
      const tagged = this.#byTag.get(tag)
      if (tagged) tagged.add(entry)
      else this.#byTag.set(tag, new Set([entry]))
    }
    return true
  }

  #deleteTags(entry: Entry): void {
    for (const tag of entry.tags) {
      const tagged = this.#byTag.get(tag)
      tagged?.delete(entry)
      if (tagged?.size === 0) this.#byTag.delete(tag)
    }
  }
}
