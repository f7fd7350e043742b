import { ActivityPlace } from '@storefront/contracts'
import { z } from 'zod'
import { unusableCursor } from '../errors.ts'

const { at, source, number } = ActivityPlace.shape
const Encoded = z.tuple([at, source, number])

/** Opaque to clients: the last entry of a page, after which the next page starts. */
export function encodeCursor(last: ActivityPlace): string {
  return Buffer.from(JSON.stringify([last.at, last.source, last.number])).toString('base64url')
}

/** @throws HttpError `validation_failed` for anything that `encodeCursor` did not make */
export function decodeCursor(text: string): ActivityPlace {
  const parsed = Encoded.safeParse(parseJson(text))
  if (!parsed.success) throw unusableCursor()
  const [at, source, number] = parsed.data
  return { at, source, number }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
