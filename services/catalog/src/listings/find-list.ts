import { snapshot } from '@storefront/chassis'
import type { ProductSort } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { computeScope, isStored, scopeKey, storeScope, type ScopeFacts } from '../facets/listing-scope.ts'
import { searchListings } from '../search/search-listings.ts'
import { countMatches } from './bitmaps.queries.ts'
import type { Cursor } from './cursor.ts'
import { termFilterOf, type ListFilters } from './filters.ts'
import { FEW, findPageItems } from './pages.queries.ts'
import type { SortKey } from './sorts.ts'

export interface ListRequest {
  filters: ListFilters
  /** What was typed; empty: no search. */
  search: string
  sort: ProductSort
  /** Where to go on; then there is no offset. */
  after: Pick<Cursor, 'tier' | 'key'> | undefined
  offset: number
  limit: number
}

export interface FoundPage {
  /** The items' JSON, joined by commas. */
  items: string
  slugs: string[]
  /** Undefined on the last page. */
  next: { tier: number; key: SortKey } | undefined
  /** Undefined when nothing narrows the scope, which knows it. */
  total: number | undefined
  /** What is stored of the scope; undefined when a write has made it stale. */
  scope: ScopeFacts | undefined
}

export interface FoundList extends Omit<FoundPage, 'scope'> {
  total: number
  /** JSON of the facets of the scope, whatever the filters. */
  facets: string
}

/** One page of the products that match, how many there are in all, and the facets of the scope they are in. */
export async function findList(db: Database, request: ListRequest): Promise<FoundList> {
  const { scope } = request.filters
  if (isStored(scope)) {
    const found = await snapshot(db, (reader) => findPage(reader, request))
    if (found.scope) return withFacets(found, found.scope)
    // Computed once for everybody who waits, and then there for this one too, unless a writer was faster again.
    await storeScope(db, scope)
  }
  return snapshot(db, async (reader) => {
    const found = await findPage(reader, request)
    return withFacets(found, found.scope ?? (await computeScope(reader, scope)))
  })
}

function withFacets({ scope: _stored, ...page }: FoundPage, scope: ScopeFacts): FoundList {
  return { ...page, total: page.total ?? scope.total, facets: scope.facets }
}

/** One page of the products that match. Several statements: whoever calls it reads in a snapshot. */
export async function findPage(db: Database, request: ListRequest): Promise<FoundPage> {
  const { filters, search, sort, after, offset, limit } = request
  const filter = termFilterOf(filters)
  const scope = scopeKey(filters.scope)
  if (search !== '') return searchListings(db, { typed: search, filter, sort, after, offset, limit, scope })
  const matches = filter && (await countMatches(db, filter, FEW))
  const page = { sort, filter, ordinals: matches?.ordinals, after: after?.key, offset, limit }
  const { nextKey, ...found } = await findPageItems(db, page, scope)
  return { ...found, total: matches?.total, next: nextKey && { tier: 0, key: nextKey } }
}
