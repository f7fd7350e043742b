import type { z } from 'zod'
import { HttpError } from '@storefront/service'

/** Longer texts are not parsed. A title has up to 300 characters, each of four bytes and more where JSON escapes it. */
const MAX_LENGTH = 4000

/** Writes the place where a list continues as a text that is opaque to clients, and reads it again. */
export function cursorCodec<Schema extends z.ZodType>(fields: Schema) {
  return {
    encode: (values: z.input<Schema>) => Buffer.from(JSON.stringify(values)).toString('base64url'),
    /** @throws HttpError `validation_failed` for anything that `encode` did not make */
    decode(text: string): z.output<Schema> {
      const { data, success } = fields.safeParse(text.length > MAX_LENGTH ? undefined : parseJson(text))
      if (!success) throw badCursor('is not a cursor of this list')
      return data
    },
  }
}

/** @param message for the developer of a client: what is wrong with the cursor */
export function badCursor(message: string): HttpError {
  return new HttpError(
    'validation_failed',
    'This page of the list is no longer available. Please start again at the first page.',
    { detail: { issues: [{ path: 'cursor', message }] } },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
