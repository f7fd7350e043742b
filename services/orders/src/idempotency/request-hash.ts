import type { FastifyRequest } from 'fastify'
import { digestOf } from '@storefront/http'
import { canonicalJson } from '@storefront/service'
import { idempotencyMismatch } from '../errors.ts'

/** Identifies the path and the body of a request. */
export function requestHashOf({ url, body }: Pick<FastifyRequest, 'url' | 'body'>): Buffer {
  return digestOf([url.split('?')[0] ?? '', canonicalJson(body ?? null)])
}

/**
 * For work whose result is found by its key for longer than the response is stored.
 * @param stored of the request that did the work; nothing when an older version did it
 * @throws HttpError `idempotency_mismatch` when the key was used for another request
 */
export function requireSameRequest(stored: Buffer | null | undefined, requestHash: Buffer | null): void {
  if (stored && requestHash && !stored.equals(requestHash)) throw idempotencyMismatch()
}
