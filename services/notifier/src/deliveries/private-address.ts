import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const PRIVATE_IPV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Of a public range, and leads to what serves the machines of a cloud inside.
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
/** Parts of the public range 2000::/3 that lead to an IPv4 address inside, or nowhere. */
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

/** Whether an address leads anywhere but to the public internet: to this machine, its network or its cloud's metadata. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 4) return privateAddresses.check(address, 'ipv4')
  // An IPv4 address in IPv6 clothes lies outside 2000::/3 and is refused with the rest.
  return !publicIpv6.check(address, 'ipv6') || privateAddresses.check(address, 'ipv6')
}

export class PrivateAddressRefused extends Error {
  constructor(host: string) {
    super(`${host} leads to a private address`)
    this.name = 'PrivateAddressRefused'
  }
}

/** Refuses an address that is written out in a URL: such a one is connected to without a look-up. */
export function refusePrivateLiteral(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && isPrivateAddress(host)) throw new PrivateAddressRefused(host)
}

/** Finds all addresses of a name, in the manner of `lookup` of node:dns. */
export type ResolveName = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Resolves a name for a connection and refuses it when any of its addresses is private. The very addresses that were
 * looked at are connected to, so that a name that resolves differently a moment later gains nothing.
 */
export function publicLookup(resolve: ResolveName): LookupFunction {
  return lookupWith((hostname, options, callback) => {
    resolve(hostname, options, (error, addresses) => {
      const isRefused = !error && addresses.some(({ address }) => isPrivateAddress(address))
      callback(isRefused ? new PrivateAddressRefused(hostname) : error, isRefused ? [] : addresses)
    })
  })
}

/** Resolves a name for a connection that may lead anywhere. */
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
