import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'

/** For the schema of a route that makes a change of one key once. */
export const ChangeHeaders = z.looseObject({
  'idempotency-key': z.string().optional().describe('The same change with the same key is made once.'),
})

/** More than can be on their way to one cart while one of them is tried again. */
export const REMEMBERED_KEYS = 16
/** Characters: 96 bits. */
const KEY_LENGTH = 16

interface Change {
  headers: IncomingHttpHeaders
  method: string
  url: string
  body: unknown
}

/**
 * What a cart remembers a change by: its Idempotency-Key together with what was asked, so that a key that somebody uses for
 * everything does not swallow another change.
 * @returns undefined when the request has no key
 */
export function changeKeyOf({ headers, method, url, body }: Change): string | undefined {
  const key = headers['idempotency-key']
  if (typeof key !== 'string') return undefined
  return createHash('sha256')
    .update(JSON.stringify([key, method, url, body ?? null]))
    .digest('base64url')
    .slice(0, KEY_LENGTH)
}
