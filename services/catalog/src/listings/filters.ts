import { createHash } from 'node:crypto'
import { bodyRefused } from '../errors.ts'
import { term } from './terms.ts'
import { valuesIn } from './typed-values.ts'

/** With sizes and colours every pair of them is looked for. */
export const MAX_VALUES = 40

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

/** Filters as they stand in a query: values are joined by commas, which may stand within a value as well. */
export interface TypedFilters extends Omit<ListFilters, 'sizes' | 'colors' | 'tags'> {
  sizes: string
  colors: string
  tags: string
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

/**
 * Tells the values apart that were typed, by those that there are.
 * @param isListed whether listings have a term
 * @throws Refusal `validation_failed` when there are too many
 */
export function filtersOf(typed: TypedFilters, isListed: (term: string) => boolean): ListFilters {
  const valuesOf = (filter: 'sizes' | 'colors' | 'tags', termOf: (value: string) => string): string[] => {
    const values = valuesIn(typed[filter], (value) => isListed(termOf(value)))
    if (values.length <= MAX_VALUES) return values
    throw bodyRefused([{ path: filter, message: `must not have more than ${MAX_VALUES} values` }])
  }
  return {
    ...typed,
    sizes: valuesOf('sizes', term.size),
    colors: valuesOf('colors', term.color),
    tags: valuesOf('tags', term.tag),
  }
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
export function fingerprintOfFilters(filters: TypedFilters, search: string): string {
  const { scope, sizes, colors, tags, minPrice, maxPrice, inStock } = filters
  const sorted = [sizes, colors, tags].map((typed) => valuesIn(typed, () => false).toSorted())
  const text = JSON.stringify([scope.category, scope.collection, ...sorted, minPrice, maxPrice, inStock, search])
  return createHash('sha1').update(text).digest('base64url').slice(0, 12)
}
