import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** Catalogue reads, for the edge cache, a CDN and the browser (specification, GET /bootstrap; decisions, section 1). */
export const PUBLIC_CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=600'
export const PRIVATE_CACHE_CONTROL = 'private, no-store'
/** Names what an answer was made from; a write purges every answer that carries one of the keys it touched. */
export const SURROGATE_KEY = 'surrogate-key'
/** On the answer to a write: what the gateway must drop before it hands the answer on. */
export const SURROGATE_PURGE = 'surrogate-purge'

/**
 * Sends JSON that is already text, with what a cache needs: how long, a strong ETag and the surrogate keys.
 * Nothing is parsed or serialised on the way.
 */
export function sendPublicJson(reply: FastifyReply, body: string, surrogateKeys: readonly string[]): FastifyReply {
  // Encoded once, for the hash and for the socket: a list is eighty kilobytes.
  const bytes = Buffer.from(body)
  return reply
    .header('cache-control', PUBLIC_CACHE_CONTROL)
    .header(SURROGATE_KEY, surrogateKeys.join(' '))
    .header('etag', `"${hash('sha1', bytes, 'base64url')}"`)
    .type('application/json; charset=utf-8')
    .send(bytes)
}
