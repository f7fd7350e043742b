import { badCursor, cursorCodec } from '@storefront/http'
import { z } from 'zod'
import { ORDER_SORTS, type OrderPosition, type OrderSort } from './order-sort.queries.ts'

/** Where a list continues. */
export interface Cursor {
  /** Number of the page that starts here. */
  page: number
  sort: OrderSort
  position: OrderPosition
}

/** A time as text, because a Date would lose the microseconds. PostgreSQL has no year zero. */
export const CursorTime = z.iso.datetime({ precision: 6 }).refine((at) => at >= '0001')
export const CursorId = z
  .string()
  .max(200)
  .regex(/^[^\0]*$/)

const Place = [z.int().min(1).max(1_000_000_000), z.boolean(), CursorTime, CursorId] as const

// Cursors of the previous version have only the first four fields, because it had no other sort.
const codec = cursorCodec(
  z.union([z.tuple([...Place, z.enum(ORDER_SORTS), z.int().nonnegative()]), z.tuple([...Place])]),
)

export function encodeCursor({ page, sort, position }: Cursor): string {
  const { flagged, placedAt, id, totalMinor } = position
  return codec.encode([page, flagged, placedAt, id, sort, totalMinor])
}

/**
 * Reads a cursor.
 * @param sort of the list that continues
 * @throws HttpError `validation_failed` when it is not a cursor, or belongs to another sort
 */
export function decodeCursor(text: string, sort: OrderSort): Cursor {
  const [page, flagged, placedAt, id, sortOfCursor = 'attention', totalMinor = 0] = codec.decode(text)
  if (sortOfCursor !== sort) throw badCursor(`belongs to the sort ${sortOfCursor}, not to ${sort}`)
  return { page, sort, position: { flagged, placedAt, id, totalMinor } }
}
