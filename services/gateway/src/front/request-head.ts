import type { IncomingMessage, ServerResponse } from 'node:http'
import { MAX_ADDRESS_BYTES, MAX_HEADERS_BYTES, type Refusal } from '@storefront/chassis'
import { addressTooLong, headersTooLarge } from '../refusals.ts'

/** Of an address, the path: no id or slug is longer, and unlike a query it is compared, taken apart and logged. */
export const MAX_PATH_LENGTH = 8000
/** The operations know a dozen; to read thousands of made-up ones costs a service a tenth of a second. */
const MAX_PARAMETERS = 1000

/** What comes with an address that anybody would send takes less. */
const ORDINARY_BYTES = 16 * 1024
/** Larger requests share so much, from their arrival to their answer. */
const ROOM_BYTES = 8 * 1024 * 1024

export interface HeadSize {
  address: number
  headers: number
}

/** One byte a character: Node reads heads as latin1. */
export function headSize({ url = '', rawHeaders }: IncomingMessage): HeadSize {
  let headers = 0
  for (const text of rawHeaders) headers += text.length
  return { address: url.length, headers }
}

/** @param url what was sent; @param path what of it is the path, below the base path */
export function headRefusal(size: HeadSize, url: string, path: string): Refusal | undefined {
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
 * The room for large heads. Somebody may send a hundred kilobytes in one request, but a thousand cannot do so at the
 * same time: their addresses would take more memory than everything else.
 * @returns a function that takes what a request needs, and says whether it may be answered, must be refused, or must be
 * cut off because even those that were refused take too much
 */
export function roomForLargeHeads(): (size: HeadSize, response: ServerResponse) => 'enough' | 'none' | 'overdrawn' {
  let taken = 0
  return ({ address, headers }, response) => {
    const bytes = address + headers
    if (bytes <= ORDINARY_BYTES) return 'enough'
    taken += bytes
    response.once('close', () => (taken -= bytes))
    if (taken <= ROOM_BYTES) return 'enough'
    return taken <= 2 * ROOM_BYTES ? 'none' : 'overdrawn'
  }
}
