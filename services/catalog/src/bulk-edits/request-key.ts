import { DAY_MS } from '@storefront/service'
import { actorIdOf } from '@storefront/audit'
import { digestOf, IdempotencyKey } from '@storefront/http'
import type { Actor, BulkEditRequest } from '@storefront/contracts'
import { z } from 'zod'

export const KEY_MEMORY_MS = DAY_MS

export const IdempotencyHeaders = z.looseObject({
  'idempotency-key': IdempotencyKey.optional().describe(
    'The same key and the same request get the same bulk edit for a day.',
  ),
})

/** Identifies a request that is sent again. */
export interface RequestKey {
  keyDigest: Buffer
  requestDigest: Buffer
}

/** @returns undefined without a key */
export function requestKeyOf(key: string | undefined, actor: Actor, body: BulkEditRequest): RequestKey | undefined {
  if (key === undefined) return undefined
  return { keyDigest: digestOf([actorIdOf(actor), key]), requestDigest: digestOf(body) }
}
