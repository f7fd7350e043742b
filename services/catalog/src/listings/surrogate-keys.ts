import { isAboutStock, term, termsWithout } from './terms.ts'
import type { Scope, TypedFilters } from './filters.ts'

/**
 * Surrogate keys: the data that a response was made from, and that a write purges. A list carries its scope, because a
 * product can enter or leave it, and its products, because they can change; a product's write purges both.
 */
export const key = {
  /** A product, whatever changes about it. */
  product: (slug: string) => `product:${slug}`,
  reviews: (slug: string) => `reviews:${slug}`,
  /** Instead of many products, for a response that holds too many to name. Every product's write purges it. */
  manyProducts: 'products',
  /** Lists over the whole shop. */
  listing: 'listing',
  category: (slug: string) => term.category(slug),
  collection: (slug: string) => term.collection(slug),
  search: 'search',
  /** Lists that a product can enter or leave because of a purchase. */
  stock: 'listing-stock',
  categories: 'categories',
  collections: 'collections',
  settings: 'settings',
  sizeCharts: 'size-charts',
  library: 'library',
}

/** The space in a header is limited, and 48 products may have slugs of 200 characters. */
const MAX_PRODUCT_KEYS_LENGTH = 6000

/** Keys of a response that holds these products. */
export function keysOfProducts(slugs: readonly string[]): string[] {
  const keys = slugs.map(key.product)
  return keys.join(' ').length > MAX_PRODUCT_KEYS_LENGTH ? [key.manyProducts] : keys
}

export function keysOfScope({ category, collection }: Scope): string[] {
  const keys = [
    ...(isNameable(category) ? [key.category(category)] : []),
    ...(isNameable(collection) ? [key.collection(collection)] : []),
  ]
  return keys.length > 0 ? keys : [key.listing]
}

export function keysOfList(filters: TypedFilters, search: string, slugs: readonly string[]): string[] {
  const isStockList = filters.inStock || filters.sizes !== ''
  return [
    ...keysOfScope(filters.scope),
    ...(search === '' ? [] : [key.search]),
    ...(isStockList ? [key.stock] : []),
    ...keysOfProducts(slugs),
  ]
}

/** Keys of a list of products by their slugs, including slugs without a product, which may get one later. */
export function keysOfNamedList(requested: readonly string[], slugs: readonly string[]): string[] {
  return [key.listing, ...keysOfProducts([...new Set([...requested.filter(isNameable), ...slugs])])]
}

/** Names come from clients, so only valid slugs may be put into a header. */
function isNameable(name: string | undefined): name is string {
  return name !== undefined && /^[a-z0-9-]{1,200}$/.test(name)
}

/** The keys to purge when the terms of a product change, besides the product itself. */
export function keysOfTermChanges(before: readonly string[], after: readonly string[]): string[] {
  const changed = [...termsWithout(before, after), ...termsWithout(after, before)]
  const keys = new Set<string>()
  if (changed.some(isAboutStock)) keys.add(key.stock)
  if (changed.some((name) => !isAboutStock(name))) for (const each of keysOfLists(before, after)) keys.add(each)
  // The lists of categories and collections count their published products.
  const isShownOrHidden = changed.includes(term.everything)
  if (isShownOrHidden || changed.some((name) => name.startsWith('category:'))) keys.add(key.categories)
  if (isShownOrHidden || changed.some((name) => name.startsWith('collection:'))) keys.add(key.collections)
  return [...keys]
}

/** The lists that a listing is in, before or after a change. */
export function keysOfLists(...terms: (readonly string[])[]): string[] {
  const lists = terms.flat().filter((name) => name.startsWith('category:') || name.startsWith('collection:'))
  return [...new Set([key.listing, ...lists])]
}
