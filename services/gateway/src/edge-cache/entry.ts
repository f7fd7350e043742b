import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Freshness } from './policy.ts'
import { surrogateKeys } from './policy.ts'
import type { Encoding } from '../encoding/accepted-encoding.ts'

/** An old answer is better than none for so long while its service is down. */
const STALE_IF_ERROR_MS = 10 * 60_000
const MIN_COMPRESSED_LENGTH = 1024
const COMPRESSIBLE = /^(application\/(json|javascript|xml|[\w.+-]+\+(json|xml))|text\/|image\/svg\+xml)/i
/** Of what a service says beside the body, this is kept; everything else is about one request. */
const KEPT_HEADERS = ['content-type', 'cache-control', 'surrogate-key', 'last-modified', 'content-disposition', 'link']
/** What an entry costs beside its bodies, roughly. */
const OVERHEAD_BYTES = 1500

/** An answer in one encoding, ready to be written. */
export interface Representation {
  body: Buffer
  etag: string
  /** Name, value, name, value … of everything that is the same for every client. */
  head: readonly string[]
  /** The part of the head that a 304 carries. */
  notModifiedHead: readonly string[]
}

export interface Entry {
  key: string
  tags: readonly string[]
  storedAtMs: number
  freshUntilMs: number
  staleUntilMs: number
  goodIfErrorUntilMs: number
  /** A refresh failed: not again before this. */
  retryAtMs: number
  etag: string
  compressible: boolean
  identity: Representation
  compressed: { br?: Representation; gzip?: Representation }
  compressing: { br?: Promise<Representation>; gzip?: Promise<Representation> }
  headers: readonly string[]
}

const SUFFIX = { identity: '', br: '-br', gzip: '-gz' } as const

export function createEntry(
  key: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  freshness: Freshness,
  now: number,
): Entry {
  const etag = strongTag(headers.etag) ?? createHash('sha1').update(body).digest('base64url')
  const kept = KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [name, String(headers[name])]))
  const freshUntilMs = now + freshness.freshMs
  return {
    key,
    tags: surrogateKeys(headers),
    storedAtMs: now,
    freshUntilMs,
    staleUntilMs: freshUntilMs + freshness.staleMs,
    goodIfErrorUntilMs: freshUntilMs + Math.max(freshness.staleMs, STALE_IF_ERROR_MS),
    retryAtMs: 0,
    etag,
    compressible: body.length > MIN_COMPRESSED_LENGTH && COMPRESSIBLE.test(headers['content-type'] ?? ''),
    identity: represent('identity', body, etag, kept),
    compressed: {},
    compressing: {},
    headers: kept,
  }
}

/** Each encoding is a representation of its own, and so has an ETag of its own. */
export function represent(encoding: Encoding, body: Buffer, etag: string, kept: readonly string[]): Representation {
  const tag = `"${etag}${SUFFIX[encoding]}"`
  const common = ['etag', tag, 'vary', 'Origin, Accept-Encoding', ...kept]
  return {
    body,
    etag: tag,
    head: [
      ...common,
      'content-length',
      String(body.length),
      ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
    ],
    notModifiedHead: common,
  }
}

export function entryBytes(entry: Entry): number {
  const { br, gzip } = entry.compressed
  return (
    OVERHEAD_BYTES +
    2 * entry.key.length +
    entry.identity.body.length +
    (br?.body.length ?? 0) +
    (gzip?.body.length ?? 0)
  )
}

/** Whether a client already has one of an entry's representations. */
export function alreadyHas(entry: Entry, ifNoneMatch: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '')
    return Object.values(SUFFIX).some((suffix) => tag === `"${entry.etag}${suffix}"`)
  })
}

function strongTag(etag: string | undefined): string | undefined {
  return etag === undefined ? undefined : /^"([^"]+)"$/.exec(etag)?.[1]
}
