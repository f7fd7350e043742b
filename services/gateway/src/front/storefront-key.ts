import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readAddress } from './client-address.ts'

/** The header in which the server of a storefront shows that it is one. */
export const STOREFRONT_KEY_HEADER = 'x-storefront-key'
/** Sent with the key: the network address of the shopper for whom the storefront makes the request. */
export const SHOPPER_ADDRESS_HEADER = 'x-shopper-address'

/** Who sent a request that has the key of the storefront; its limits are those of the shopper. */
export type StorefrontCaller = { shopperAddress: string } | 'storefront itself'

/**
 * @param key of the configuration; without one no request comes from a storefront
 * @returns reads who sent a request; undefined when it does not have the key
 */
export function storefrontCallers(
  key: string | undefined,
): (headers: IncomingHttpHeaders) => StorefrontCaller | undefined {
  const expected = key === undefined ? undefined : digest(key)
  return (headers) => {
    const { [STOREFRONT_KEY_HEADER]: sent, [SHOPPER_ADDRESS_HEADER]: written } = headers
    // Digests are compared, because the comparison takes constant time only for texts of the same length.
    if (!expected || typeof sent !== 'string' || !timingSafeEqual(digest(sent), expected)) return undefined
    if (written === undefined) return 'storefront itself'
    const shopperAddress = readAddress(String(written))
    // An invalid address, if it were ignored, would exempt a shopper from all limits.
    return shopperAddress === undefined ? undefined : { shopperAddress }
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
