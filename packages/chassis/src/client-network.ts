import { isIPv6 } from 'node:net'

/**
 * What a limit counts as one client: an IPv4 address, or a /64 of IPv6, because that is what one household or one server is given.
 * @param address an IPv4 or IPv6 address; anything else stands for itself
 * @returns the address itself, or the network as `2001:db8:1:2::/64`
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const bare = address.split('%', 1)[0] ?? address
  const [head = '', tail] = bare.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`
}
