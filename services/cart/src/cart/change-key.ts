import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { digestOf } from '@storefront/http'
import { idempotencyMismatch } from '../errors.ts'

/** For the schema of a route whose change is made once for each key. */
export const ChangeHeaders = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .describe(
      'The same change with the same key is made only once, and the response has `Idempotent-Replayed: true`. The key with ' +
        'another change is 409. The cart remembers its last 16 keys.',
    ),
})

/** Must exceed the number of requests for one cart that can be in progress while one of them is retried. */
const REMEMBERED_KEYS = 16
/** In base64url characters: 96 bits for a change, and 48 for a key, which is compared with 16 others at most. */
const LENGTHS = { change: 16, key: 8 }

interface Change {
  headers: IncomingHttpHeaders
  method: string
  url: string
  body: unknown
}

/** The Idempotency-Key of a change, in the two forms in which a cart stores it. */
export interface ChangeKey {
  /** Hash of the key and the request. */
  change: string
  /** Hash of the key alone: it shows that the key came with another request. */
  key: string
}

/** The arguments with which a change is made once; a repeated request gets the header `idempotent-replayed`. */
export function onceByKey(
  request: Change,
  reply: { header: (name: string, value: string) => unknown },
): { key: ChangeKey | undefined; onReplay: () => void } {
  return { key: changeKeyOf(request), onReplay: () => void reply.header('idempotent-replayed', 'true') }
}

/** @returns undefined when the request has no key */
function changeKeyOf({ headers, method, url, body }: Change): ChangeKey | undefined {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || key === '') return undefined
  return {
    change: textOf([key, method, url, body ?? null], LENGTHS.change),
    key: textOf([key], LENGTHS.key),
  }
}

/**
 * The keys that a cart stores after a change, the latest first. Those of two merged carts alternate, so that neither
 * loses its latest.
 */
export function keysAfter(made: readonly string[], before: readonly string[]): string[] {
  // Two texts for each change: both forms of its key.
  if (made.length <= 2) return [...made, ...before].slice(0, 2 * REMEMBERED_KEYS)
  const turns = Array.from({ length: REMEMBERED_KEYS }, (_, nth) => [2 * nth, 2 * nth + 2] as const)
  const keys = turns.flatMap((pair) => [...made.slice(...pair), ...before.slice(...pair)])
  return keys.slice(0, 2 * REMEMBERED_KEYS)
}

/**
 * @returns whether the change was already made
 * @throws HttpError `idempotency_mismatch` when another change was made with its key
 */
export function isReplayed(key: ChangeKey | undefined, recentKeys: readonly string[]): boolean {
  if (key === undefined) return false
  if (recentKeys.includes(key.change)) return true
  if (recentKeys.includes(key.key)) throw idempotencyMismatch()
  return false
}

function textOf(parts: unknown[], length: number): string {
  return digestOf(parts).toString('base64url').slice(0, length)
}
