import { cursorCodec } from '@storefront/http'
import { ActivityPosition } from '@storefront/contracts'
import { z } from 'zod'

const { at, source, number } = ActivityPosition.shape
const codec = cursorCodec(z.tuple([at, source, number]))

/** The last entry of a page, after which the next page starts. */
export const encodeCursor = (last: ActivityPosition): string => codec.encode([last.at, last.source, last.number])

/** @throws HttpError `validation_failed` for anything that `encodeCursor` did not make */
export function decodeCursor(text: string): ActivityPosition {
  const [at, source, number] = codec.decode(text)
  return { at, source, number }
}
