import type { ListingIndex } from '../listings/listing-index.ts'
import { term } from '../listings/terms.ts'

/** What others are compared with. */
interface Source {
  categories: readonly string[]
  tags: readonly string[]
  priceMinor: number
}

/** A shared category outweighs any number of tags that a product may have. */
const CATEGORY_WEIGHT = 2 ** 16

/** Products that share something with another: more leaf categories first, then more tags, then the nearer price. */
export function mostAlike(index: ListingIndex, { categories, tags, priceMinor }: Source, limit: number): string[] {
  const shared = new Uint32Array(index.capacity)
  const count = (name: string, weight: number) =>
    index.listingsWith(name).forEach((ordinal) => (shared[ordinal] = (shared[ordinal] ?? 0) + weight))
  for (const category of categories) count(term.leaf(category), CATEGORY_WEIGHT)
  for (const tag of tags) count(term.tag(tag), 1)
  const distance = (ordinal: number) => Math.abs(index.priceOf(ordinal) - priceMinor)
  const comesBefore = (one: number, other: number) => {
    const difference = (shared[other] ?? 0) - (shared[one] ?? 0) || distance(one) - distance(other)
    return difference === 0 ? index.productIdOf(one) < index.productIdOf(other) : difference < 0
  }
  const best: number[] = []
  // What shares less than the last of the best is most of the shop: it must cost no more than this comparison.
  let least = 1
  for (let ordinal = 0; ordinal < shared.length; ordinal++) {
    if ((shared[ordinal] ?? 0) < least) continue
    insertIfAmong(best, ordinal, limit, comesBefore)
    if (best.length === limit) least = shared[best.at(-1) ?? 0] ?? 1
  }
  return best.map((ordinal) => index.productIdOf(ordinal))
}

/** The best placed products of these categories and what is below them. */
export function bestPlaced(index: ListingIndex, categories: readonly string[], limit: number): string[] {
  if (categories.length === 0) return []
  const matching = index.matching({ groups: [categories.map(term.category)], minPrice: undefined, maxPrice: undefined })
  const part = { after: undefined, offset: 0, limit }
  return index.walk('featured', matching, part).map((ordinal) => index.productIdOf(ordinal))
}

/** What sells most. */
export function bestSelling(index: ListingIndex, limit: number): string[] {
  const everything = index.matching({ groups: [], minPrice: undefined, maxPrice: undefined })
  const part = { after: undefined, offset: 0, limit }
  return index.walk('bestselling', everything, part).map((ordinal) => index.productIdOf(ordinal))
}

/** Keeps the first `limit` of all that it is called with, in their order. */
function insertIfAmong(
  best: number[],
  candidate: number,
  limit: number,
  comesBefore: (one: number, other: number) => boolean,
): void {
  const last = best.at(-1)
  if (best.length === limit && last !== undefined && !comesBefore(candidate, last)) return
  const place = best.findIndex((other) => comesBefore(candidate, other))
  best.splice(place < 0 ? best.length : place, 0, candidate)
  if (best.length > limit) best.pop()
}
