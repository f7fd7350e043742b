import type { ProductSort } from '@storefront/contracts'
import type { Database } from '../database.ts'
import type { Cursor } from '../listings/cursor.ts'
import type { TermFilter } from '../listings/filters.ts'
import { FEW, findItems, findPageRows, type FoundItems, type PageRow } from '../listings/pages.queries.ts'
import type { SortKey } from '../listings/sorts.ts'
import {
  countPlaces,
  findBySku,
  findInPlace,
  findSimilarWords,
  findUnknownWords,
  isFound,
  isFoundIn,
  PLACES,
  type Place,
  type Search,
} from './search.queries.ts'
import { wordQueryOf } from './word-query.ts'
import { isSpellable, queryWords } from './words.ts'

export interface SearchRequest {
  typed: string
  filter: TermFilter | undefined
  sort: ProductSort
  after: Pick<Cursor, 'tier' | 'key'> | undefined
  offset: number
  limit: number
  scope: string
}

export interface SearchResult extends Omit<FoundItems, 'nextKey'> {
  total: number
  /** Where the next page begins; undefined on the last. */
  next: { tier: number; key: SortKey } | undefined
}

/**
 * Finds listings by words. With the default sort those come first that have all words in the title, then those that have
 * them in the heading, then the rest; within each place the best placed first. Another sort orders all of them alike.
 */
export async function searchListings(db: Database, request: SearchRequest): Promise<SearchResult> {
  const { filter, sort, scope } = request
  const exact = await lookUp(db, request.typed, filter)
  const { search, counts } = exact.total > 0 ? exact : await lookUpCorrected(db, request.typed, filter, exact)
  const total = PLACES.reduce((sum, place) => sum + counts[place], 0)
  const tiers: Tier[] =
    sort === 'featured'
      ? PLACES.map((place) => ({ place, count: counts[place] }))
      : [{ place: 'anywhere', count: total }]
  const rows = await windowOf(db, tiers, search, request)
  const shown = rows.slice(0, request.limit)
  const last = shown.at(-1)
  const next = rows.length > request.limit && last ? { tier: last.tier, key: last.key } : undefined
  return { ...(await findItems(db, shown, scope)), total, next }
}

interface LookUp {
  search: Search
  counts: Record<Place, number>
  total: number
}

async function lookUp(db: Database, typed: string, filter: TermFilter | undefined): Promise<LookUp> {
  const words = queryWords(typed).map((word) => [word])
  return count(db, { ...wordQueryOf(words), skuOrdinals: await findBySku(db, typed) }, filter)
}

async function count(db: Database, search: Search, filter: TermFilter | undefined): Promise<LookUp> {
  const counts = await countPlaces(db, search, filter)
  return { search, counts, total: PLACES.reduce((sum, place) => sum + counts[place], 0) }
}

/** Nothing matches: words that nothing in the shop has are taken for the nearest that something has. */
async function lookUpCorrected(
  db: Database,
  typed: string,
  filter: TermFilter | undefined,
  exact: LookUp,
): Promise<LookUp> {
  const words = queryWords(typed)
  if (words.length === 0) return exact
  const unknown = await findUnknownWords(
    db,
    words.map((word, index) => ({ ...wordQueryOf([[word]]), ...(index < words.length - 1 && { beginning: '' }) })),
  )
  const meanings = words.map((word) => [word])
  for (const index of unknown) {
    const word = words[index] ?? ''
    const similar = isSpellable(word) ? await findSimilarWords(db, word) : []
    // A word that means nothing to anybody makes the whole query mean nothing.
    if (similar.length === 0) return exact
    meanings[index] = similar
  }
  if (unknown.length === 0) return exact
  return count(db, { ...exact.search, ...wordQueryOf(meanings) }, filter)
}

interface Tier {
  place: Place | 'anywhere'
  count: number
}

/** One row more than the page holds, collected from as many tiers as it takes. */
async function windowOf(
  db: Database,
  tiers: readonly Tier[],
  search: Search,
  { filter, sort, after, offset, limit }: SearchRequest,
): Promise<(PageRow & { tier: number })[]> {
  const rows: (PageRow & { tier: number })[] = []
  let skip = after ? 0 : offset
  for (const [tier, { place, count: size }] of tiers.entries()) {
    if (rows.length > limit) break
    if (size === 0 || (after && tier < after.tier)) continue
    if (skip >= size) {
      skip -= size
      continue
    }
    const few = size <= FEW
    const found = await findPageRows(db, {
      sort,
      // What was found by its index has passed the filter already.
      filter: few ? undefined : filter,
      ordinals: few ? await findInPlace(db, place, search, filter) : undefined,
      ...(few ? {} : { also: place === 'anywhere' ? isFound(search) : isFoundIn(place, search) }),
      after: after?.tier === tier ? after.key : undefined,
      offset: skip,
      limit: limit + 1 - rows.length,
    })
    rows.push(...found.map((row) => ({ ...row, tier })))
    skip = 0
  }
  return rows
}
