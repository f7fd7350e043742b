import { badCursor, cursorCodec } from '@storefront/http'
import { ProductSort } from '@storefront/contracts'
import { z } from 'zod'
import type { SortKey } from '@storefront/facet-index'
import { isKeyOf } from './sorts.ts'

/** The position where a list continues. */
export interface Cursor {
  sort: ProductSort
  /** Fingerprint of the filters and search words of its list. */
  filters: string
  /** Number of the page that begins here. */
  page: number
  /** Rank of the search results that the last listing belonged to; 0 without a search. */
  tier: number
  key: SortKey
}

const codec = cursorCodec(
  z.tuple([
    ProductSort,
    z.string().max(20),
    z.int().min(1).max(1_000_000_000),
    z.int().min(0).max(9),
    z
      .array(
        z.union([
          z.int(),
          z
            .string()
            .max(300)
            .regex(/^[^\0]*$/),
        ]),
      )
      .max(8),
  ]),
)

export function encodeCursor({ sort, filters, page, tier, key }: Cursor): string {
  return codec.encode([sort, filters, page, tier, [...key]])
}

/**
 * @param sort of the requested list
 * @param filters fingerprint of its filters
 * @throws HttpError `validation_failed` when it is not a cursor, or one of another list
 */
export function decodeCursor(text: string, sort: ProductSort, filters: string): Cursor {
  const [ofSort, ofFilters, page, tier, key] = codec.decode(text)
  if (ofSort !== sort || ofFilters !== filters)
    throw badCursor('is the cursor of a list with other filters or another order')
  if (!isKeyOf(sort, key)) throw badCursor('is not a cursor of this list')
  return { sort, filters, page, tier, key }
}
