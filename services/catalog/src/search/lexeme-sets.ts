import { OrdinalSet } from '@storefront/facet-index'
import { isDatabaseTimeout } from '@storefront/postgres'
import type { Database } from '../database.ts'
import { Superseded } from '../listings/superseded.ts'
import { SEARCH_FIELDS, type SearchField } from './search-fields.ts'
import { findLexemeFields, findLexemesOf, type LexemesOfListing } from './search.queries.ts'

/** Memory for recently requested lexemes. */
const MAX_BYTES = 64 * 2 ** 20
/** The memory of a set besides its ordinals. */
const OVERHEAD_BYTES = 500
/** If the words of more products changed at once, all lexemes are looked up again. */
const MAX_REWORDED = 100

/** The listings that have a lexeme in each position. */
export type LexemeSet = Record<SearchField, OrdinalSet>

/** A change of texts: all of them, or the lexemes of the changed ones. */
type Rewording = 'everything' | readonly LexemesOfListing[]

/** Lexemes that are being looked up together. */
interface Lookup {
  sets: Promise<Map<string, LexemeSet>>
  /** The changes during the look-up. */
  missed: LexemesOfListing[]
  isOutdated: boolean
}

/**
 * Caches the listings of recently searched lexemes, because PostgreSQL has to visit each listing to find them, which
 * takes longer than everything else in the search for a common word. The sets are updated with each change of a text.
 */
export class LexemeSets {
  /** Sorted by last use, the oldest first. */
  readonly #kept = new Map<string, LexemeSet>()
  readonly #lookups = new Map<string, Lookup>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /**
   * @param version the current version of the index
   * @throws Superseded when the database has another version, or when the look-up of another reader failed
   */
  async find(db: Database, version: number, lexemes: readonly string[]): Promise<ReadonlyMap<string, LexemeSet>> {
    const found = new Map<string, LexemeSet>()
    const ofOthers = new Set<Lookup>()
    const missing: string[] = []
    for (const lexeme of lexemes) {
      const known = this.#kept.get(lexeme)
      const lookup = this.#lookups.get(lexeme)
      if (known) {
        this.#kept.delete(lexeme)
        this.#kept.set(lexeme, known)
        found.set(lexeme, known)
      } else if (lookup && !lookup.isOutdated) ofOthers.add(lookup)
      else missing.push(lexeme)
    }
    const underway = [...ofOthers].map((lookup) => lookup.sets.catch(beginAgain))
    if (missing.length > 0) underway.push(this.#lookUp(db, version, missing).sets)
    // Awaited together, so that no rejection is left unhandled.
    for (const sets of await Promise.all(underway)) {
      for (const [lexeme, set] of sets) found.set(lexeme, set)
    }
    return found
  }

  /** Reads the data that `apply` needs of listings whose words changed. */
  async readRewording(db: Database, ordinals: readonly number[]): Promise<Rewording> {
    return ordinals.length > MAX_REWORDED ? 'everything' : findLexemesOf(db, ordinals)
  }

  apply(rewording: Rewording): void {
    if (rewording === 'everything') {
      this.#kept.clear()
      this.#bytes = 0
      for (const lookup of this.#lookups.values()) lookup.isOutdated = true
      return
    }
    for (const [lexeme, set] of this.#kept) {
      this.#bytes -= bytesOf(set)
      updateSet(lexeme, set, rewording)
      this.#bytes += bytesOf(set)
    }
    this.#dropOldest()
    for (const lookup of new Set(this.#lookups.values())) lookup.missed.push(...rewording)
  }

  #lookUp(db: Database, version: number, lexemes: readonly string[]): Lookup {
    const sets = findLexemeFields(db, lexemes)
      .then(({ version: seen, fields }) => {
        // Otherwise sets of a later version would be cached for readers of this one.
        if (seen !== version) throw new Superseded('the listings changed in the meantime')
        const made = new Map(fields.map(({ lexeme, ...each }) => [lexeme, setOf(each)]))
        for (const [lexeme, set] of made) updateSet(lexeme, set, lookup.missed)
        if (!lookup.isOutdated) for (const [lexeme, set] of made) this.#keep(lexeme, set)
        return made
      })
      .finally(() => {
        for (const lexeme of lexemes) if (this.#lookups.get(lexeme) === lookup) this.#lookups.delete(lexeme)
      })
    const lookup: Lookup = { sets, missed: [], isOutdated: false }
    for (const lexeme of lexemes) this.#lookups.set(lexeme, lookup)
    return lookup
  }

  #keep(lexeme: string, set: LexemeSet): void {
    this.#kept.set(lexeme, set)
    this.#bytes += bytesOf(set)
    this.#dropOldest()
  }

  #dropOldest(): void {
    for (const [oldest, each] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break
      this.#kept.delete(oldest)
      this.#bytes -= bytesOf(each)
    }
  }
}

/** The other reader may have used a standby that is down now, so this one must look the lexemes up itself. */
function beginAgain(cause: unknown): never {
  // Another look-up would take as long.
  if (isDatabaseTimeout(cause)) throw cause
  throw new Superseded('the look-up of another reader failed', { cause })
}

function bytesOf({ title, heading, words }: LexemeSet): number {
  return OVERHEAD_BYTES + title.bytes + heading.bytes + words.bytes
}

function setOf({ title, heading, words }: Record<SearchField, number[]>): LexemeSet {
  return { title: OrdinalSet.of(title), heading: OrdinalSet.of(heading), words: OrdinalSet.of(words) }
}

function updateSet(lexeme: string, set: LexemeSet, reworded: readonly LexemesOfListing[]): void {
  for (const { ordinal, lexemes } of reworded) {
    for (const field of SEARCH_FIELDS) {
      if (lexemes[field].has(lexeme)) set[field].add(ordinal)
      else set[field].delete(ordinal)
    }
  }
}
