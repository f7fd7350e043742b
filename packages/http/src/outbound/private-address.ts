import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const PRIVATE_IPV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // In a public range, but it leads to internal services of a cloud.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
/** Parts of the public range 2000::/3 that lead to an internal IPv4 address, or nowhere. */
const PRIVATE_IPV6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const privateAddresses = new BlockList()
const publicIpv6 = new BlockList()
for (const [network, prefix] of PRIVATE_IPV4) privateAddresses.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of PRIVATE_IPV6) privateAddresses.addSubnet(network, prefix, 'ipv6')
publicIpv6.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an address leads anywhere but to the public internet: to this machine, its network or its cloud's metadata.
 * @param address an IPv4 or IPv6 address, without brackets
 */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 4) return privateAddresses.check(address, 'ipv4')
  // An IPv4 address that is mapped into IPv6 lies outside 2000::/3 and counts as private too.
  return !publicIpv6.check(address, 'ipv6') || privateAddresses.check(address, 'ipv6')
}

/** The connection was not opened: the host has a private address. */
export class PrivateAddressRejected extends Error {
  constructor(host: string) {
    super(`${host} leads to a private address`)
    this.name = 'PrivateAddressRejected'
  }
}

/**
 * Checks an address that is written out in a URL, because a connection to it makes no look-up.
 * @param isPrivate which addresses are rejected
 * @throws PrivateAddressRejected when it is private
 */
export function rejectPrivateLiteral(url: URL, isPrivate: (address: string) => boolean = isPrivateAddress): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && isPrivate(host)) throw new PrivateAddressRejected(host)
}

/** Finds all addresses of a name, in the manner of `lookup` of node:dns. */
export type ResolveName = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Makes a look-up for connections that fails with PrivateAddressRejected when any address of a name is private. The
 * connection goes to the very addresses that were checked, so that a name that resolves differently a moment later
 * gains nothing.
 * @param resolve finds the addresses of a name
 * @param isPrivate which addresses are rejected
 * @returns the `lookup` option of a connection
 */
export function publicLookup(
  resolve: ResolveName,
  isPrivate: (address: string) => boolean = isPrivateAddress,
): LookupFunction {
  return lookupWith((hostname, options, callback) => {
    resolve(hostname, options, (error, addresses) => {
      const isRejected = !error && addresses.some(({ address }) => isPrivate(address))
      callback(isRejected ? new PrivateAddressRejected(hostname) : error, isRejected ? [] : addresses)
    })
  })
}

/**
 * Makes a look-up for connections that may lead anywhere.
 * @param resolve finds the addresses of a name
 * @returns the `lookup` option of a connection
 */
export function lookupWith(resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) callback(error ?? new Error(`${hostname} has no address`), [])
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
