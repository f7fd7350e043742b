import { unmappedAddress } from '@storefront/http'
import { isIPv4, isIPv6 } from 'node:net'

/**
 * The address that a request came from. With proxies in front it is the entry of X-Forwarded-For that the outermost of
 * them wrote; everything left of it may be forged.
 * @param trustedProxies how many proxies are in front, 0 for none
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | string[] | undefined,
  trustedProxies: number,
): string {
  const direct = unmappedAddress(socketAddress ?? 'unknown')
  if (trustedProxies === 0 || forwardedFor === undefined) return direct
  const entries = String(forwardedFor).split(',')
  return readAddress(entries[Math.max(0, entries.length - trustedProxies)]?.trim() ?? '') ?? direct
}

/**
 * The address that a proxy wrote. Some proxies, such as Azure Application Gateway, append the client's port and put an
 * IPv6 address in brackets.
 * @returns undefined when it is not an address
 */
export function readAddress(written: string): string | undefined {
  const [, v6 = written, v4 = written] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(written) ?? []
  if (isIPv4(v4)) return v4
  return isIPv6(v6) ? unmappedAddress(v6) : undefined
}
