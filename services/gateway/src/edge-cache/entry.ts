import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Freshness } from './policy.ts'
import { surrogateKeys } from './policy.ts'
import type { Encoding } from '../encoding/accepted-encoding.ts'

const MIN_COMPRESSED_LENGTH = 1024
const COMPRESSIBLE = /^(application\/(json|javascript|xml|[\w.+-]+\+(json|xml))|text\/|image\/svg\+xml)/i
/** The headers of a service that are cached; all others belong to one request. */
const KEPT_HEADERS = ['content-type', 'cache-control', 'surrogate-key', 'last-modified', 'content-disposition', 'link']
/** The headers that control caches: a 304 repeats them. */
const CACHING_HEADERS = new Set(['cache-control', 'surrogate-key', 'last-modified'])
/** The approximate memory of an entry without its bodies, and of each of its surrogate keys (measured). */
const OVERHEAD_BYTES = 2000
const TAG_BYTES = 130

/** A response in one encoding, ready to be written. */
export interface Representation {
  body: Buffer
  etag: string
  /** Name, value, name, value … of all headers that are the same for every client. */
  head: readonly string[]
}

export interface Entry {
  key: string
  tags: readonly string[]
  storedAtMs: number
  freshUntilMs: number
  staleUntilMs: number
  goodIfErrorUntilMs: number
  /** A refresh failed: the next one begins after this time. */
  retryAtMs: number
  etag: string
  compressible: boolean
  identity: Representation
  compressed: { br?: Representation; gzip?: Representation }
  compressing: { br?: Promise<Representation>; gzip?: Promise<Representation> }
  headers: readonly string[]
  /** Those of them that a 304 carries. */
  cachingHeaders: readonly string[]
}

const SUFFIX = { identity: '', br: '-br', gzip: '-gz' } as const

export function createEntry(
  key: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  freshness: Freshness,
  nowMs: number,
): Entry {
  const etag = strongTag(headers.etag) ?? createHash('sha1').update(body).digest('base64url')
  const present = KEPT_HEADERS.filter((name) => headers[name] !== undefined)
  const flat = (names: string[]) => names.flatMap((name) => [name, String(headers[name])])
  const kept = flat(present)
  const freshUntilMs = nowMs + freshness.freshMs
  return {
    key,
    tags: surrogateKeys(headers),
    storedAtMs: nowMs,
    freshUntilMs,
    staleUntilMs: freshUntilMs + freshness.staleMs,
    goodIfErrorUntilMs: freshUntilMs + freshness.staleIfErrorMs,
    retryAtMs: 0,
    etag,
    compressible: body.length > MIN_COMPRESSED_LENGTH && COMPRESSIBLE.test(headers['content-type'] ?? ''),
    identity: represent('identity', body, etag, kept),
    compressed: {},
    compressing: {},
    headers: kept,
    cachingHeaders: flat(present.filter((name) => CACHING_HEADERS.has(name))),
  }
}

/** Each encoding is a separate representation, with its own ETag. */
export function represent(encoding: Encoding, body: Buffer, etag: string, kept: readonly string[]): Representation {
  const tag = tagOf(etag, encoding)
  return {
    body,
    etag: tag,
    head: [
      ...validators(tag),
      ...kept,
      'content-length',
      String(body.length),
      ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
    ],
  }
}

/**
 * The head of a 304 in place of a response in this encoding, which need not exist: its ETag is known without it (RFC
 * 9110, section 15.4.5).
 */
export function notModifiedHead(entry: Entry, encoding: Encoding): string[] {
  return [...validators(tagIn(entry, encoding)), ...entry.cachingHeaders]
}

function validators(tag: string): string[] {
  return ['etag', tag, 'vary', 'Origin, Accept-Encoding']
}

function tagOf(etag: string, encoding: Encoding): string {
  return `"${etag}${SUFFIX[encoding]}"`
}

function tagIn(entry: Entry, encoding: Encoding): string {
  const ready = encoding === 'identity' ? entry.identity : entry.compressed[encoding]
  return ready?.etag ?? tagOf(entry.etag, encoding)
}

export function entryBytes(entry: Entry): number {
  const { br, gzip } = entry.compressed
  return (
    OVERHEAD_BYTES +
    2 * entry.key.length +
    TAG_BYTES * entry.tags.length +
    entry.identity.body.length +
    (br?.body.length ?? 0) +
    (gzip?.body.length ?? 0)
  )
}

/**
 * Whether a client already has the representation that it would be sent, in the same encoding: after a 304, a cache
 * that has only another encoding could not use the response (RFC 9111, section 4.3.4).
 */
export function alreadyHas(entry: Entry, ifNoneMatch: string, encoding: Encoding): boolean {
  if (ifNoneMatch.trim() === '*') return true
  // A W/ before the quotes makes no difference here.
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(tagIn(entry, encoding)) ?? false
}

function strongTag(etag: string | undefined): string | undefined {
  return etag === undefined ? undefined : /^"([^"]+)"$/.exec(etag)?.[1]
}
