import type { ProductSort } from '@storefront/contracts'
import type { Database } from '../database.ts'
import type { Cursor } from '../listings/cursor.ts'
import type { TermFilter } from '../listings/filters.ts'
import { FEW, findItems, findPageRows, type FoundItems, type PageRow } from '../listings/pages.queries.ts'
import type { SortKey } from '../listings/sorts.ts'
import {
  countPlaces,
  findBySku,
  findFew,
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
  const { filter, sort, scope, typed } = request
  const exact = await lookUp(db, typed, filter)
  const { search, tiers } = exact.total > 0 ? exact : await lookUpCorrected(db, typed, filter, exact)
  const total = tiers.reduce((sum, tier) => sum + tier.count, 0)
  const ordered = sort === 'featured' ? tiers : [joined(tiers)]
  const rows = await windowOf(db, ordered, search, request)
  const shown = rows.slice(0, request.limit)
  const last = shown.at(-1)
  const next = rows.length > request.limit && last ? { tier: last.tier, key: last.key } : undefined
  return { ...(await findItems(db, shown, scope)), total, next }
}

/** Listings that stand together in the order of relevance. */
interface Tier {
  place: Place | 'anywhere'
  count: number
  /** All of them, when everything that was found is little. */
  ordinals: number[] | undefined
}

/** For an order that does not care where the words were found. */
function joined(tiers: readonly Tier[]): Tier {
  return {
    place: 'anywhere',
    count: tiers.reduce((sum, tier) => sum + tier.count, 0),
    ordinals: tiers.every((tier) => tier.ordinals) ? tiers.flatMap((tier) => tier.ordinals ?? []) : undefined,
  }
}

interface LookUp {
  search: Search
  tiers: Tier[]
  total: number
}

async function lookUp(db: Database, typed: string, filter: TermFilter | undefined): Promise<LookUp> {
  const words = queryWords(typed).map((word) => [word])
  return find(db, { ...wordQueryOf(words), skuOrdinals: await findBySku(db, typed) }, filter)
}

async function find(db: Database, search: Search, filter: TermFilter | undefined): Promise<LookUp> {
  const few = await findFew(db, search, filter, FEW)
  if (few) {
    const of = (place: Place) => few.filter((found) => found.place === place).map((found) => found.ordinal)
    const tiers = PLACES.map((place) => ({ place, count: of(place).length, ordinals: of(place) }))
    return { search, tiers, total: few.length }
  }
  const counts = await countPlaces(db, search, filter)
  const tiers = PLACES.map((place) => ({ place, count: counts[place], ordinals: undefined }))
  return { search, tiers, total: tiers.reduce((sum, tier) => sum + tier.count, 0) }
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
  return find(db, { ...exact.search, ...wordQueryOf(meanings) }, filter)
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
  for (const [tier, { place, count: size, ordinals }] of tiers.entries()) {
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
      ordinals: few ? (ordinals ?? (await findInPlace(db, place, search, filter))) : undefined,
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
