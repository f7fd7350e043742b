import type { IncomingMessage, ServerResponse } from 'node:http'
import { MAX_ADDRESS_BYTES, MAX_HEADERS_BYTES } from '@storefront/http'
import type { HttpError } from '@storefront/service'
import { addressTooLong, headersTooLarge } from '../errors.ts'

/** Longer than any real path, and shorter than a query, because paths are compared, split and logged. */
export const MAX_PATH_LENGTH = 8000
/** An operation has about a dozen; parsing thousands of invented ones costs a service a tenth of a second. */
const MAX_PARAMETERS = 1000

/** An ordinary client's headers take less. */
const ORDINARY_BYTES = 16 * 1024
/** Larger requests share this much memory, from their arrival to their response. */
const LARGE_HEADS_BYTES = 8 * 1024 * 1024

export interface HeadSize {
  readonly address: number
  readonly headers: number
}

/** One byte per character: Node reads heads as latin1. */
export function headSize({ url = '', rawHeaders }: IncomingMessage): HeadSize {
  let headers = 0
  for (const text of rawHeaders) headers += text.length
  return { address: url.length, headers }
}

/**
 * @returns whether the request names at most one host, and exactly one in HTTP/1.1 (RFC 9112, section 3.2): of several
 * hosts, two proxies could each use a different one
 */
export function namesItsHost({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/**
 * @param url as it was sent
 * @param path the part of it that is the path, below the base path
 */
export function headError(size: HeadSize, url: string, path: string): HttpError | undefined {
  if (size.address > MAX_ADDRESS_BYTES || path.length > MAX_PATH_LENGTH) return addressTooLong()
  if (url.length > MAX_PARAMETERS && parametersOf(url) > MAX_PARAMETERS) return addressTooLong()
  return size.headers > MAX_HEADERS_BYTES ? headersTooLarge() : undefined
}

function parametersOf(url: string): number {
  let count = 1
  for (let at = url.indexOf('&'); at !== -1; at = url.indexOf('&', at + 1)) count++
  return count
}

/**
 * Limits the memory of large heads. A client may send a hundred kilobytes in one request, but a thousand clients cannot
 * do so at the same time: their heads would take more memory than everything else.
 * @returns a function that reserves the memory of a request, and returns whether the request may proceed, must be
 * rejected, or must be cut off because even the rejected ones take too much
 */
export function limitHeadMemory(): (size: HeadSize, response: ServerResponse) => 'proceed' | 'reject' | 'cut off' {
  let taken = 0
  return ({ address, headers }, response) => {
    const bytes = address + headers
    if (bytes <= ORDINARY_BYTES) return 'proceed'
    taken += bytes
    response.once('close', () => (taken -= bytes))
    if (taken <= LARGE_HEADS_BYTES) return 'proceed'
    return taken <= 2 * LARGE_HEADS_BYTES ? 'reject' : 'cut off'
  }
}
