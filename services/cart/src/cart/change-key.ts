import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'

/** For the schema of a route whose change is made once for each key. */
export const ChangeHeaders = z.looseObject({
  'idempotency-key': z.string().optional().describe('The same change with the same key is made only once.'),
})

/** More than the requests that can be on their way to one cart while one of them is retried. */
export const REMEMBERED_KEYS = 16
/** In base64url characters, which is 96 bits. */
const KEY_LENGTH = 16

interface Change {
  headers: IncomingHttpHeaders
  method: string
  url: string
  body: unknown
}

/**
 * The form in which a cart stores the key of a change: a hash of the Idempotency-Key and the request, so that a client
 * that sends one key with different changes loses none of them.
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
