import { DAY_MS } from '@storefront/service'
import { createHash } from 'node:crypto'
import { actorIdOf } from '@storefront/audit'
import type { Actor, BulkEditRequest } from '@storefront/contracts'
import { z } from 'zod'

export const KEY_MEMORY_MS = DAY_MS

export const IdempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 visible characters and no spaces')
    .optional()
    .describe('The same key and the same request get the same bulk edit for a day.'),
})

/** Identifies a request that is sent again. */
export interface RequestKey {
  keyDigest: Buffer
  requestDigest: Buffer
}

/** @returns undefined without a key */
export function requestKeyOf(key: string | undefined, actor: Actor, body: BulkEditRequest): RequestKey | undefined {
  if (key === undefined) return undefined
  return { keyDigest: digest([actorIdOf(actor), key]), requestDigest: digest(body) }
}

function digest(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest()
}
