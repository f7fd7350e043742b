import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const MAX_AGE_SECONDS = 60
const STALE_SECONDS = 600
/** Catalog reads, for the edge cache, a CDN and the browser. */
export const PUBLIC_CACHE_CONTROL = publicCacheControl(MAX_AGE_SECONDS, STALE_SECONDS)
export const PRIVATE_CACHE_CONTROL = 'private, no-store'
/** The header that names what a response was made from; a write purges every response that carries one of its keys. */
export const SURROGATE_KEY = 'surrogate-key'
/** The header of a response to a write: the keys that the gateway must purge before it passes the response on. */
export const SURROGATE_PURGE = 'surrogate-purge'

/**
 * Sends JSON that is already text or bytes, with the headers for caches: lifetime, a strong ETag and the surrogate
 * keys. Nothing is parsed or serialized again.
 * @param changesInSeconds for a response that changes with time: no cache keeps it longer, fresh and stale together,
 * but always for one second, because many clients may request it at once
 */
export function sendPublicJson(
  reply: FastifyReply,
  body: string | Buffer,
  surrogateKeys: readonly string[],
  { changesInSeconds = Infinity }: { changesInSeconds?: number } = {},
): FastifyReply {
  // Encoded once, for the hash and for the socket: a list is eighty kilobytes.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return reply
    .header('cache-control', cacheControlUntil(changesInSeconds))
    .header(SURROGATE_KEY, surrogateKeys.join(' '))
    .header('etag', `"${hash('sha1', bytes, 'base64url')}"`)
    .type('application/json; charset=utf-8')
    .send(bytes)
}

function cacheControlUntil(changesInSeconds: number): string {
  const wholeSeconds = Math.floor(changesInSeconds)
  const maxAge = Math.max(1, Math.min(MAX_AGE_SECONDS, wholeSeconds))
  return publicCacheControl(maxAge, Math.max(0, Math.min(STALE_SECONDS, wholeSeconds - maxAge)))
}

function publicCacheControl(maxAgeSeconds: number, staleSeconds: number): string {
  return `public, max-age=${maxAgeSeconds}, stale-while-revalidate=${staleSeconds}`
}
