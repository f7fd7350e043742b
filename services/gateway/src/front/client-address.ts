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
  const direct = socketAddress ?? 'unknown'
  if (trustedProxies === 0 || forwardedFor === undefined) return plain(direct)
  const entries = String(forwardedFor)
    .split(',')
    .map((entry) => entry.trim())
  const entry = entries[Math.max(0, entries.length - trustedProxies)]
  return entry !== undefined && (isIPv4(entry) || isIPv6(entry)) ? plain(entry) : plain(direct)
}

/** An IPv4-mapped IPv6 address is an IPv4 address. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address
}
