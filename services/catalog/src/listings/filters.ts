import { createHash } from 'node:crypto'
import { bodyRejected } from '../errors.ts'
import type { ListingFilter } from './listing-index.ts'
import { term } from './terms.ts'
import { valuesIn } from './typed-values.ts'

/** Limited because every pair of a size and a color is looked up. */
export const MAX_VALUES = 40

/** The filters of a list. Within one filter any value matches; all filters must match. */
export interface ListFilters {
  scope: Scope
  sizes: readonly string[]
  colors: readonly string[]
  tags: readonly string[]
  minPrice: number | undefined
  maxPrice: number | undefined
  inStock: boolean
}

/** Filters of a query: values are joined by commas, and a value may itself contain commas. */
export interface TypedFilters extends Omit<ListFilters, 'sizes' | 'colors' | 'tags'> {
  sizes: string
  colors: string
  tags: string
}

/**
 * The set that facets and totals are computed over: a category with its subcategories, a collection, or the whole shop.
 */
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
 * Separates the typed values, according to the existing ones.
 * @param isListed whether listings have a term
 * @throws HttpError `validation_failed` when there are too many
 */
export function filtersOf(typed: TypedFilters, isListed: (term: string) => boolean): ListFilters {
  const valuesOf = (filter: 'sizes' | 'colors' | 'tags', termOf: (value: string) => string): string[] => {
    const values = valuesIn(typed[filter], (value) => isListed(termOf(value)))
    if (values.length <= MAX_VALUES) return values
    throw bodyRejected([{ path: filter, message: `must not have more than ${MAX_VALUES} values` }])
  }
  return {
    ...typed,
    sizes: valuesOf('sizes', term.size),
    colors: valuesOf('colors', term.color),
    tags: valuesOf('tags', term.tag),
  }
}

export function termFilterOf(filters: ListFilters): ListingFilter {
  const { sizes, colors } = filters
  const groups = scopeGroups(filters.scope)
  if (filters.tags.length > 0) groups.push(filters.tags.map(term.tag))
  // Sizes refer to available variants; with a color, the same variant must have both.
  if (sizes.length > 0 && colors.length > 0) {
    groups.push(sizes.flatMap((size) => colors.map((color) => term.availablePair(size, color))))
  } else if (sizes.length > 0) groups.push(sizes.map(term.availableSize))
  else if (colors.length > 0) groups.push(colors.map(term.color))
  if (filters.inStock) groups.push([term.inStock])
  const { minPrice: least, maxPrice: most } = filters
  return { groups, range: least === undefined && most === undefined ? undefined : { order: 'price-asc', least, most } }
}

export function scopeGroups({ category, collection }: Scope): string[][] {
  return [
    ...(category === undefined ? [] : [[term.category(category)]]),
    ...(collection === undefined ? [] : [[term.collection(collection)]]),
  ]
}

/** Fingerprint of a set of filters, so that a cursor of one list is not used for another. */
export function fingerprintOfFilters(filters: TypedFilters, search: string): string {
  const { scope, sizes, colors, tags, minPrice, maxPrice, inStock } = filters
  const sorted = [sizes, colors, tags].map((typed) => valuesIn(typed, () => false).toSorted())
  const text = JSON.stringify([scope.category, scope.collection, ...sorted, minPrice, maxPrice, inStock, search])
  return createHash('sha1').update(text).digest('base64url').slice(0, 12)
}
