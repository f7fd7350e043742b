import { z } from 'zod'
import { ProductSort } from '@storefront/contracts'
import { badCursor } from '../errors.ts'
import { isKeyOf, type SortKey } from './sorts.ts'

/** The position where a list continues. Opaque to clients; any other text is rejected. */
export interface Cursor {
  sort: ProductSort
  /** Of the filters and search words it belongs to. */
  filters: string
  /** Number of the page that begins here. */
  page: number
  /** Rank of the search results that the last listing belonged to; 0 without a search. */
  tier: number
  key: SortKey
}

/** A title has 300 characters at most, each of up to four bytes and more where JSON escapes it. */
const MAX_CURSOR_LENGTH = 4000

const Encoded = z.tuple([
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
])

export function encodeCursor({ sort, filters, page, tier, key }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, filters, page, tier, key])).toString('base64url')
}

/**
 * @param sort of the requested list
 * @param filters fingerprint of its filters
 * @throws HttpError `validation_failed` when it is not a cursor, or one of another list
 */
export function decodeCursor(text: string, sort: ProductSort, filters: string): Cursor {
  const parsed = Encoded.safeParse(text.length > MAX_CURSOR_LENGTH ? undefined : parseJson(text))
  if (!parsed.success) throw badCursor('is not a cursor of this list')
  const [ofSort, ofFilters, page, tier, key] = parsed.data
  if (ofSort !== sort || ofFilters !== filters)
    throw badCursor('is the cursor of a list with other filters or another order')
  if (!isKeyOf(sort, key)) throw badCursor('is not a cursor of this list')
  return { sort, filters, page, tier, key }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
