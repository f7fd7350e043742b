import type { ProductSort } from '@storefront/contracts'
import { countBits, type Bits } from '@storefront/facet-index'
import type { Cursor } from './cursor.ts'
import type { ListingIndex } from './listing-index.ts'

export interface PageRequest {
  sort: ProductSort
  /** Where to continue, in place of an offset. */
  after: Pick<Cursor, 'tier' | 'key'> | undefined
  offset: number
  limit: number
}

export interface Page {
  productIds: string[]
  /** Where the next page begins; undefined on the last. */
  next: Pick<Cursor, 'tier' | 'key'> | undefined
}

/**
 * A page of listings that are grouped in tiers: all of the first before the second, within each in the order of the
 * sort.
 */
export function pageOf(index: ListingIndex, tiers: readonly Bits[], request: PageRequest): Page {
  const { sort, after, limit } = request
  const found: { tier: number; ordinal: number }[] = []
  let skip = after ? 0 : request.offset
  for (const [tier, bits] of tiers.entries()) {
    // One more, which shows whether there is a next page.
    const wanted = limit + 1 - found.length
    if (wanted === 0) break
    if (after && tier < after.tier) continue
    const part = { after: after?.tier === tier ? after.key : undefined, offset: skip, limit: wanted }
    const ordinals = index.walk(sort, bits, part)
    found.push(...ordinals.map((ordinal) => ({ tier, ordinal })))
    skip = ordinals.length > 0 ? 0 : Math.max(0, skip - countBits(bits))
  }
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    productIds: shown.map(({ ordinal }) => index.idOf(ordinal)),
    next: found.length > limit && last ? { tier: last.tier, key: index.keyOf(sort, last.ordinal) } : undefined,
  }
}
