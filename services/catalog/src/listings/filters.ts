import { createHash } from 'node:crypto'
import { term } from './terms.ts'

/** What a list may be narrowed to. Within one filter any value does; between filters all must hold (decisions, section 3). */
export interface ListFilters {
  scope: Scope
  sizes: readonly string[]
  colors: readonly string[]
  tags: readonly string[]
  minPrice: number | undefined
  maxPrice: number | undefined
  inStock: boolean
}

/** What facets and totals are computed over: a category with its descendants, a collection, or the whole shop. */
export interface Scope {
  category?: string | undefined
  collection?: string | undefined
}

export const NO_FILTERS: ListFilters = {
  scope: {},
  sizes: [],
  colors: [],
  tags: [],
  minPrice: undefined,
  maxPrice: undefined,
  inStock: false,
}

/** Groups of terms: a listing must have one of each group, and its price must be in the range. No group: all have. */
export interface TermFilter {
  groups: string[][]
  /** Minor units; undefined where there is no bound. */
  minPrice: number | undefined
  maxPrice: number | undefined
}

export function termFilterOf(filters: ListFilters): TermFilter {
  const { sizes, colors } = filters
  const groups = scopeGroups(filters.scope)
  if (filters.tags.length > 0) groups.push(filters.tags.map(term.tag))
  // Sizes and stock speak of what can be bought, and with a colour the same variant must have both.
  if (sizes.length > 0 && colors.length > 0) {
    groups.push(sizes.flatMap((size) => colors.map((color) => term.availablePair(size, color))))
  } else if (sizes.length > 0) groups.push(sizes.map(term.availableSize))
  else if (colors.length > 0) groups.push(colors.map(term.color))
  if (filters.inStock) groups.push([term.inStock])
  return { groups, minPrice: filters.minPrice, maxPrice: filters.maxPrice }
}

/** What belongs to a scope. */
export function filterOfScope(scope: Scope): TermFilter {
  return { groups: scopeGroups(scope), minPrice: undefined, maxPrice: undefined }
}

function scopeGroups({ category, collection }: Scope): string[][] {
  return [
    ...(category === undefined ? [] : [[term.category(category)]]),
    ...(collection === undefined ? [] : [[term.collection(collection)]]),
  ]
}

/** Names a set of filters, so that a cursor of one list is not taken for another's. */
export function fingerprintOfFilters(filters: ListFilters, search: string): string {
  const { scope, sizes, colors, tags, minPrice, maxPrice, inStock } = filters
  const sorted = [sizes, colors, tags].map((values) => [...new Set(values)].toSorted())
  const text = JSON.stringify([scope.category, scope.collection, ...sorted, minPrice, maxPrice, inStock, search])
  return createHash('sha1').update(text).digest('base64url').slice(0, 12)
}
