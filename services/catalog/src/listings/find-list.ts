import type { Item } from '../products/item-cache.ts'
import { searchListings } from '../search/search-listings.ts'
import { countBits, unite, type Bits } from '@storefront/facet-index'
import { filtersOf, termFilterOf, type ListFilters, type TypedFilters } from './filters.ts'
import type { ListingIndex } from './listing-index.ts'
import type { LiveIndex } from './live-index.ts'
import { pageOf, type Page, type PageRequest } from './pages.ts'

export interface ListRequest extends PageRequest {
  filters: ListFilters
  /** The typed search text; empty: no search. */
  search: string
}

interface TypedListRequest extends Omit<ListRequest, 'filters'> {
  filters: TypedFilters
}

export interface FoundList {
  items: Item[]
  next: Page['next']
  total: number
  /** JSON of the facets of the scope, whatever the filters. */
  facets: string
}

/** One page of the products that match, the number of all of them, and the facets of their scope. */
export async function findList(lists: LiveIndex, request: TypedListRequest): Promise<FoundList> {
  const { search, sort } = request
  return lists.readOptimistically(async (moment) => {
    const filters = filtersOf(request.filters, (name) => moment.index().listings.itemsWith(name).size > 0)
    const matching = () => moment.index().listings.matching(termFilterOf(filters))
    const found = search === '' ? [matching()] : await searchListings(moment, search, matching)
    const { listings, scopes } = moment.index()
    const total = found.reduce((sum, tier) => sum + countBits(tier), 0)
    // Only the default sort keeps the tiers of a search apart.
    const tiers = sort === 'featured' ? found : [joined(listings, found)]
    const { productIds, next } = pageOf(listings, tiers, request)
    const { facets } = scopes.of(filters.scope)
    const { version, items } = await moment.items.find(moment.db, productIds)
    return { version, result: { items, next, total, facets } }
  })
}

function joined(index: ListingIndex, tiers: readonly Bits[]): Bits {
  const all = index.emptyBits()
  for (const tier of tiers) unite(all, tier)
  return all
}
