import { createHash } from 'node:crypto'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { ActorVerifier } from '@storefront/service'

/**
 * An IPv4-mapped IPv6 address is an IPv4 address. A socket that accepts both reports every IPv4 client by such an
 * address.
 * @returns `1.2.3.4` for `::ffff:1.2.3.4`; anything else is returned unchanged
 */
export function unmappedAddress(address: string): string {
  return address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address
}

/**
 * The unit that a limit counts as one client: an IPv4 address, or a /64 of IPv6, because one household or one server
 * gets a /64.
 * @param address an IPv4 or IPv6 address; anything else is returned unchanged
 * @returns the IPv4 address itself, also of one that is mapped to IPv6, or the network as `2001:db8:1:2::/64`
 */
export function clientNetwork(address: string): string {
  const unmapped = unmappedAddress(address)
  if (!isIPv6(unmapped)) return unmapped
  const bare = unmapped.split('%', 1)[0] ?? unmapped
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

/** What the origin of a request is read from. */
export type SentRequest = Pick<FastifyRequest, 'actorToken' | 'headers' | 'id' | 'ip'>

/**
 * The address that a request came from: as reported by the gateway, which signs every request, or else of the socket.
 */
export function clientAddressOf(request: SentRequest, verifyActor: ActorVerifier): string {
  const forwarded = request.headers['x-forwarded-for']
  const isFromGateway = verifyActor(request.actorToken) !== undefined
  return isFromGateway && typeof forwarded === 'string' && isIP(forwarded) !== 0 ? forwarded : request.ip
}

/** The network of `clientAddressOf`, as `clientNetwork` writes it. */
export function networkOf(request: SentRequest, verifyActor: ActorVerifier): string {
  return clientNetwork(clientAddressOf(request, verifyActor))
}

/** The properties by which several requests are attributed to one client. */
export interface Client {
  /** The name in the cookie of the browser. */
  browser?: string | undefined
  customerId?: string | undefined
  /** The network that the request came from, as returned by `networkOf`. */
  network: string
}

/**
 * Digests by which a limit counts the requests of one client, without storing its identity.
 * @returns `browser:…`, `account:…` and `address:…`, as far as they are known, each at most 48 characters long
 */
export function clientKeysOf({ browser, customerId, network }: Client): string[] {
  const named = Object.entries({ browser, account: customerId, address: network })
  return named.flatMap(([kind, value]) =>
    value === undefined ? [] : [`${kind}:${createHash('sha256').update(value).digest('hex').slice(0, 40)}`],
  )
}

/** Whether a key of `clientKeysOf` is that of a network, which many clients may share. */
export function isSharedKey(key: string): boolean {
  return key.startsWith('address:')
}
