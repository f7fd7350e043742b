import { cursorCodec } from '@storefront/http'
import { ActivityPlace } from '@storefront/contracts'
import { z } from 'zod'

const { at, source, number } = ActivityPlace.shape
const codec = cursorCodec(z.tuple([at, source, number]))

/** The last entry of a page, after which the next page starts. */
export const encodeCursor = (last: ActivityPlace): string => codec.encode([last.at, last.source, last.number])

/** @throws HttpError `validation_failed` for anything that `encodeCursor` did not make */
export function decodeCursor(text: string): ActivityPlace {
  const [at, source, number] = codec.decode(text)
  return { at, source, number }
}
