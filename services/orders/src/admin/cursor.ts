import { z } from 'zod'
import { badCursor } from '../errors.ts'
import type { ListPlace } from './order-list.queries.ts'

/** Where a list goes on. Opaque to clients; worth nothing to one that makes its own. */
export interface Cursor {
  /** Number of the page that begins here. */
  page: number
  place: ListPlace
}

const Encoded = z.tuple([
  z.int().min(1).max(1_000_000_000),
  z.boolean(),
  z.iso.datetime({ precision: 6 }),
  z
    .string()
    .max(200)
    .regex(/^[^\0]*$/),
])

export function encodeCursor({ page, place }: Cursor): string {
  return Buffer.from(JSON.stringify([page, place.flagged, place.placedAt, place.id])).toString('base64url')
}

/** @throws Refusal `validation_failed` when it is no cursor */
export function decodeCursor(text: string): Cursor {
  const parsed = Encoded.safeParse(parseJson(text))
  if (!parsed.success) throw badCursor()
  const [page, flagged, placedAt, id] = parsed.data
  return { page, place: { flagged, placedAt, id } }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
