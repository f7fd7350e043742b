import { z } from 'zod'
import { badCursor } from '../errors.ts'
import { ORDER_SORTS, type ListPlace, type OrderSort } from './order-sort.queries.ts'

/** Where a list goes on. Opaque to clients; worth nothing to one that makes its own. */
export interface Cursor {
  /** Number of the page that begins here. */
  page: number
  sort: OrderSort
  place: ListPlace
}

const Place = [
  z.int().min(1).max(1_000_000_000),
  z.boolean(),
  z.iso.datetime({ precision: 6 }),
  z
    .string()
    .max(200)
    .regex(/^[^\0]*$/),
] as const

// The first four alone are a cursor of the version before, which knew no other sort.
const Encoded = z.union([z.tuple([...Place, z.enum(ORDER_SORTS), z.int().nonnegative()]), z.tuple([...Place])])

export function encodeCursor({ page, sort, place }: Cursor): string {
  const { flagged, placedAt, id, totalMinor } = place
  return Buffer.from(JSON.stringify([page, flagged, placedAt, id, sort, totalMinor])).toString('base64url')
}

/**
 * Reads a cursor.
 * @param sort of the list that goes on
 * @throws Refusal `validation_failed` when it is not a cursor, or not one of this sort
 */
export function decodeCursor(text: string, sort: OrderSort): Cursor {
  const parsed = Encoded.safeParse(parseJson(text))
  if (!parsed.success) throw badCursor('is not a cursor of this service')
  const [page, flagged, placedAt, id, sortOfCursor = 'attention', totalMinor = 0] = parsed.data
  if (sortOfCursor !== sort) throw badCursor(`belongs to the sort ${sortOfCursor}, not to ${sort}`)
  return { page, sort, place: { flagged, placedAt, id, totalMinor } }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
