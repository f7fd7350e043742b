import type { Database } from '../database.ts'
import { OrdinalSet } from '../listings/ordinal-set.ts'
import { findRewordedPlaces, findWordPlaces, type WordPlaces } from './search.queries.ts'
import { MIN_BEGINNING } from './words.ts'

/** Memory for words that were asked for lately. */
const MAX_BYTES = 64 * 2 ** 20
/** Products whose words changed at once; with more, words are looked up anew. */
const MAX_REWORDED = 20

/**
 * Where the words were found, the best place first; each contains the one before. The heading is what stands around a
 * title: subtitle, tags, categories. The words are all there are, the description's too.
 */
export const PLACES = ['title', 'heading', 'words'] as const
export type Place = (typeof PLACES)[number]

/** A word as it was typed. The last one may still be unfinished. */
export interface TypedWord {
  word: string
  isBeginning: boolean
}

export function typedWord(word: string, isLast: boolean): TypedWord {
  // A shorter beginning of a word would find half the shop.
  return { word, isBeginning: isLast && word.length >= MIN_BEGINNING }
}

/** The listings that have a word in each place. */
export interface WordSet extends Record<Place, OrdinalSet> {
  /** A word like `the`, which every text has: it narrows nothing. */
  isIgnored: boolean
}

/** What became of the words that are kept, by their keys. Words that are not in it have to be looked up anew. */
type Rewording = ReadonlyMap<string, readonly RewordedListing[]>

export interface RewordedListing {
  ordinal: number
  places: Record<Place, boolean>
}

interface Lookup {
  typed: TypedWord
  set: Promise<WordSet>
  /** What changed while it was under way. */
  missed: RewordedListing[]
  isSpoilt: boolean
}

/**
 * The listings that have a word, for the words that shoppers typed lately: PostgreSQL finds them, and has to visit each
 * listing to do so, which for a common word takes longer than anything else in a search. They follow each change of a text.
 */
export class WordSets {
  /** The least recently used first. */
  readonly #kept = new Map<string, { typed: TypedWord; set: WordSet; bytes: number }>()
  readonly #lookups = new Map<string, Lookup>()
  #bytes = 0

  /** @param db a snapshot of the version that the index has now */
  find(db: Database, typed: TypedWord): Promise<WordSet> {
    const key = keyOf(typed)
    const known = this.#kept.get(key)
    if (known) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return Promise.resolve(known.set)
    }
    const underway = this.#lookups.get(key)
    if (underway && !underway.isSpoilt) return underway.set
    return this.#lookUp(db, typed, key)
  }

  /** Reads what `apply` needs to know of listings whose words changed. */
  async readRewording(db: Database, ordinals: readonly number[]): Promise<Rewording | undefined> {
    if (ordinals.length === 0) return undefined
    const asked = new Map([...this.#kept, ...this.#lookups].map(([key, { typed }]) => [key, typed]))
    if (ordinals.length > MAX_REWORDED || asked.size === 0) return new Map()
    const reworded = new Map([...asked.keys()].map((key): [string, RewordedListing[]] => [key, []]))
    const found = await findRewordedPlaces(db, [...asked.values()], ordinals)
    for (const { typed, ...listing } of found) reworded.get(keyOf(typed))?.push(listing)
    return reworded
  }

  /** @param rewording undefined when no words changed */
  apply(rewording: Rewording | undefined): void {
    if (!rewording) return
    for (const [key, { set, bytes }] of this.#kept) {
      const changed = rewording.get(key)
      if (changed) follow(set, changed)
      else {
        this.#kept.delete(key)
        this.#bytes -= bytes
      }
    }
    for (const [key, lookup] of this.#lookups) {
      const changed = rewording.get(key)
      if (changed) lookup.missed.push(...changed)
      else lookup.isSpoilt = true
    }
  }

  #lookUp(db: Database, typed: TypedWord, key: string): Promise<WordSet> {
    const found = findWordPlaces(db, typed).then((places) => {
      const set = setOf(places)
      follow(set, lookup.missed)
      if (!lookup.isSpoilt) this.#keep(key, typed, set)
      return set
    })
    const lookup: Lookup = { typed, set: found, missed: [], isSpoilt: false }
    this.#lookups.set(key, lookup)
    return found.finally(() => {
      if (this.#lookups.get(key) === lookup) this.#lookups.delete(key)
    })
  }

  #keep(key: string, typed: TypedWord, set: WordSet): void {
    const bytes = set.title.bytes + set.heading.bytes + set.words.bytes
    this.#kept.set(key, { typed, set, bytes })
    this.#bytes += bytes
    for (const [oldest, entry] of this.#kept) {
      if (this.#bytes <= MAX_BYTES) break
      this.#kept.delete(oldest)
      this.#bytes -= entry.bytes
    }
  }
}

function keyOf({ word, isBeginning }: TypedWord): string {
  return isBeginning ? `${word}*` : word
}

function setOf({ title, heading, words, isIgnored }: WordPlaces): WordSet {
  return { title: OrdinalSet.of(title), heading: OrdinalSet.of(heading), words: OrdinalSet.of(words), isIgnored }
}

function follow(set: WordSet, changed: readonly RewordedListing[]): void {
  for (const { ordinal, places } of changed) {
    for (const place of PLACES) {
      if (places[place]) set[place].add(ordinal)
      else set[place].delete(ordinal)
    }
  }
}
