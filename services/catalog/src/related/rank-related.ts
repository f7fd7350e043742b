import { countBits, forEachBit, type Bits } from '@storefront/facet-index'
import type { ListingIndex } from '../listings/listing-index.ts'
import { term } from '../listings/terms.ts'
import type { RelatedSource } from './related.queries.ts'

/** The product that others are compared with. */
type Source = Pick<RelatedSource, 'categories' | 'tags' | 'priceMinor'>

/** A shared category outweighs the maximum number of tags of a product. */
const CATEGORY_WEIGHT = 2 ** 16

interface Alike {
  ordinal: number
  /** How much it shares with the source. */
  shared: number
}

/** Products that share leaf categories or tags with another, by the number of both and then by nearness in price. */
export function mostAlike(index: ListingIndex, { categories, tags, priceMinor }: Source, limit: number): string[] {
  const [leaves, tagTerms] = [categories.map(term.leaf), tags.map(term.tag)]
  const weighed = [
    ...leaves.map((name) => ({ listings: index.itemsWith(name), weight: CATEGORY_WEIGHT })),
    ...tagTerms.map((name) => ({ listings: index.itemsWith(name), weight: 1 })),
  ]
  const distance = (ordinal: number) => Math.abs(index.priceOf(ordinal) - priceMinor)
  const comesBefore = (one: Alike, other: Alike) => {
    const difference = other.shared - one.shared || distance(one.ordinal) - distance(other.ordinal)
    return difference === 0 ? index.idOf(one.ordinal) < index.idOf(other.ordinal) : difference < 0
  }
  const inCategories = havingAny(index, leaves)
  // Products in the same categories come first, so if there are enough of them, others need not be checked.
  const candidates = countBits(inCategories) < limit ? havingAny(index, [...leaves, ...tagTerms]) : inCategories
  const best: Alike[] = []
  forEachBit(candidates, (ordinal) => {
    let shared = 0
    for (const { listings, weight } of weighed) if (listings.has(ordinal)) shared += weight
    insertIfAmong(best, { ordinal, shared }, limit, comesBefore)
  })
  return best.map(({ ordinal }) => index.idOf(ordinal))
}

function havingAny(index: ListingIndex, names: readonly string[]): Bits {
  // The index would treat an empty list as no filter.
  if (names.length === 0) return index.emptyBits()
  return index.matching({ groups: [[...names]] })
}

/** The first products of these categories and their subcategories, in the default order of lists. */
export function bestPlaced(index: ListingIndex, categories: readonly string[], limit: number): string[] {
  const matching = havingAny(index, categories.map(term.category))
  const part = { after: undefined, offset: 0, limit }
  return index.walk('featured', matching, part).map((ordinal) => index.idOf(ordinal))
}

/** The products that sell most. */
export function bestSelling(index: ListingIndex, limit: number): string[] {
  const everything = index.matching({ groups: [] })
  const part = { after: undefined, offset: 0, limit }
  return index.walk('bestselling', everything, part).map((ordinal) => index.idOf(ordinal))
}

/** Inserts a product into a sorted list that keeps the first `limit`. */
function insertIfAmong(
  best: Alike[],
  candidate: Alike,
  limit: number,
  comesBefore: (one: Alike, other: Alike) => boolean,
): void {
  const last = best.at(-1)
  if (best.length === limit && last !== undefined && !comesBefore(candidate, last)) return
  const place = best.findIndex((other) => comesBefore(candidate, other))
  best.splice(place < 0 ? best.length : place, 0, candidate)
  if (best.length > limit) best.pop()
}
