import { snapshot, type ReadFrom } from '@storefront/postgres'
import type { Log } from '@storefront/service'
import type { CatalogTables, Database } from '../database.ts'
import { ScopeFacts } from '../facets/scope-facts.ts'
import { ItemCache } from '../products/item-cache.ts'
import { LexemeSets } from '../search/lexeme-sets.ts'
import { findChangesSince, findListingsFrom, findTermsAfter, findVersion } from './index.queries.ts'
import { ListingIndex } from './listing-index.ts'
import { Superseded } from './superseded.ts'

/** The maximum number of changes that are applied one by one; beyond it, reading everything again is faster. */
const MAX_CHANGES = 5000
const LOADED_AT_ONCE = 5000
/** Only a write makes a reader start over, and each attempt takes a few milliseconds. */
const MAX_TRIES = 50

/** The index, and the facts computed from it, as of one version of the listings. */
interface State {
  version: number
  listings: ListingIndex
  scopes: ScopeFacts
  lexemes: LexemeSets
}

/** The view of one reader: the database, and the index as it was at the same time. */
export interface Moment {
  db: Database
  items: ItemCache
  /** @throws Superseded when the index is newer: the reader starts over in a newer snapshot */
  index: () => Readonly<State>
}

/** The result, and the version of the listings in its last statement. */
interface VersionedResult<Result> {
  version: number
  result: Result
}

/**
 * Keeps the index of the listings in sync with the database. Every reader checks the version of the listings in its
 * snapshot, and updates an index that is older. So no reader sees a list that is older than a committed write of any
 * replica, except for a list from a standby, which may be some seconds older.
 */
export class LiveIndex {
  readonly #db: Database
  readonly #readPublic: ReadFrom<CatalogTables>
  readonly #log: Log
  readonly #lostChangesListeners: (() => void)[] = []
  #items = new ItemCache()
  #state: State | undefined
  #advancing: Promise<void> | undefined

  constructor(db: Database, readPublic: ReadFrom<CatalogTables>, log: Log) {
    this.#db = db
    this.#readPublic = readPublic
    this.#log = log
  }

  /** Reads in one snapshot, with the index as it was then. May be run more than once. */
  async read<Result>(find: (moment: Moment) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      const leastVersion = this.#state?.version ?? 0
      try {
        return await snapshot(this.#db, async (db) => find(await this.#momentOf(db, leastVersion)))
      } catch (error) {
        if (!(error instanceof Superseded) || tries === MAX_TRIES) throw error
      }
    }
  }

  /**
   * Reads without a snapshot, assuming that no write happens meanwhile: that needs half the statements, which take most
   * of the time of a list. If the last statement sees the version that the index had before the first one, so did all
   * of them. Otherwise, for example on a standby that is behind, it runs again in a snapshot on the primary.
   */
  async readOptimistically<Result>(find: (moment: Moment) => Promise<VersionedResult<Result>>): Promise<Result> {
    if (!this.#state) await this.follow()
    const version = this.#state?.version ?? -1
    try {
      const index = () => this.#indexAt(version)
      const found = await this.#readPublic((db) => find({ db, items: this.#items, index }))
      if (found.version === version) return found.result
    } catch (error) {
      if (!(error instanceof Superseded)) throw error
    }
    return (await this.read(find)).result
  }

  /** Updates the index, so that the next reader need not wait for it. */
  async follow(): Promise<void> {
    await this.read(() => Promise.resolve())
  }

  /** Runs when the index had changes that the database has lost. */
  onLostChanges(listener: () => void): void {
    this.#lostChangesListeners.push(listener)
  }

  /** @param leastVersion the version of the index before the snapshot began, which the primary had by then */
  async #momentOf(db: Database, leastVersion: number): Promise<Moment> {
    const version = await findVersion(db)
    if (version < leastVersion) this.#dropIfNewer(version)
    while (this.#state === undefined || this.#state.version < version) {
      this.#advancing ??= this.#advance(db, version).finally(() => (this.#advancing = undefined))
      await this.#advancing
    }
    return { db, items: this.#items, index: () => this.#indexAt(version) }
  }

  /** Drops an index with changes that the database does not have: they were lost with the former primary. */
  #dropIfNewer(version: number): void {
    if (this.#state === undefined || this.#state.version <= version) return
    this.#log.error(
      { version, lostVersion: this.#state.version },
      'the lists had changes that the database lacks: if a promoted standby lost them, stop the services and run npm run recovery -- continue',
    )
    this.#state = undefined
    this.#items = new ItemCache()
    for (const listener of this.#lostChangesListeners) listener()
  }

  #indexAt(version: number): Readonly<State> {
    if (this.#state?.version !== version) throw new Superseded('the listings changed in the meantime')
    return this.#state
  }

  /** Reads the changes up to a version, in a snapshot of that version. */
  async #advance(db: Database, version: number): Promise<void> {
    const state = this.#state
    const changes = state && (await findChangesSince(db, state.version, MAX_CHANGES))
    if (!changes) {
      this.#state = await this.#load(db, version)
      return
    }
    const reworded = changes.filter((change) => change.reworded).map((change) => change.ordinal)
    const terms = await findTermsAfter(db, state.listings.lastTermId)
    const rewording = await state.lexemes.readRewording(db, [...new Set(reworded)])
    // No other code runs from here to the end. If it fails halfway, everything is read again.
    this.#state = undefined
    state.listings.learnTerms(terms)
    const ordinals = changes.filter((each) => state.listings.touchesFacets(each)).map((each) => each.ordinal)
    state.scopes.remove(ordinals)
    state.listings.apply(changes)
    state.scopes.remove(ordinals)
    state.lexemes.apply(rewording)
    this.#state = { ...state, version }
  }

  async #load(db: Database, version: number): Promise<State> {
    const started = performance.now()
    const listings = new ListingIndex()
    listings.learnTerms(await findTermsAfter(db, 0))
    let count = 0
    for (let from = 0; ;) {
      const loaded = await findListingsFrom(db, from, LOADED_AT_ONCE)
      listings.load(loaded)
      count += loaded.length
      if (loaded.length < LOADED_AT_ONCE) break
      from = (loaded.at(-1)?.ordinal ?? 0) + 1
    }
    await listings.sortAll()
    this.#log.info({ listings: count, ms: Math.round(performance.now() - started) }, 'the lists are indexed')
    return { version, listings, scopes: new ScopeFacts(listings), lexemes: new LexemeSets() }
  }
}
