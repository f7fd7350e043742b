import { promises, type LookupAddress } from 'node:dns'
import { errorCode } from '@storefront/service'
import { addressesInHosts } from './hosts-file.ts'
import type { ResolveName } from './private-address.ts'

/** Below the time limit of a whole attempt. */
const DEADLINE_MS = 4000
/** Until a query is repeated: the first packet may be lost. */
const RESPONSE_MS = 1200
const TRIES = 2
/** Extra wait for the other address family once one is known: some name servers never reply about IPv6. */
const OTHER_KIND_MS = 500
/** Names that are looked up at a time. There are far fewer endpoints. */
const MAX_UNDER_WAY = 200

/** Results of DNS for which the system look-up is skipped: it would query DNS too, with the same result. */
const SILENT: readonly (string | undefined)[] = ['ETIMEOUT', 'ECANCELLED']

/** The sources that createNameResolver uses. */
interface NameOptions {
  /**
   * Used for names that DNS does not know: a short name in a network with search domains. All look-ups of a process
   * share the few threads of the system's look-up, and none can be canceled.
   */
  system?: ResolveName | undefined
  /** Name servers in place of the system's. */
  servers?: readonly string[]
  hostsFile?: string
  deadlineMs?: number
}

/**
 * Finds addresses without the system's look-up, of which only two run at a time: two names whose name server does not
 * reply would delay every other connection of the process. Simultaneous look-ups of one name share the result, which is
 * not cached afterwards.
 * @param options the sources; `deadlineMs` is for one name in all, 4 s by default
 * @returns a look-up that fails with the code `ENOTFOUND`, `ETIMEOUT`, `ECANCELLED` or `EBUSY`
 */
export function createNameResolver(options: NameOptions = {}): ResolveName {
  const { system, servers, hostsFile = '/etc/hosts', deadlineMs = DEADLINE_MS } = options
  const underWay = new Map<string, Promise<LookupAddress[]>>()
  const systemQueries = new Map<string, Promise<LookupAddress[]>>()

  async function find(name: string): Promise<LookupAddress[]> {
    const written = await addressesInHosts(name, hostsFile)
    if (written.length > 0) return written
    try {
      return await queryDns(name, servers, deadlineMs)
    } catch (error) {
      if (system === undefined || SILENT.includes(errorCode(error))) throw error
      const addresses = shared(systemQueries, name, () => querySystem(system, name))
      return await withinDeadline(addresses, name, deadlineMs)
    }
  }

  return (hostname, { family }, callback) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    shared(underWay, name, () => find(name)).then(
      (all) => {
        const wanted = all.filter((address) => fits(address, family))
        if (wanted.length > 0) callback(null, wanted)
        else callback(failure('ENOTFOUND', `${hostname} has no address`), [])
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    )
  }
}

function fits(address: LookupAddress, family: number | 'IPv4' | 'IPv6' | undefined): boolean {
  if (family === 4 || family === 'IPv4') return address.family === 4
  return family === 6 || family === 'IPv6' ? address.family === 6 : true
}

function shared(
  underWay: Map<string, Promise<LookupAddress[]>>,
  name: string,
  find: () => Promise<LookupAddress[]>,
): Promise<LookupAddress[]> {
  const known = underWay.get(name)
  if (known) return known
  if (underWay.size >= MAX_UNDER_WAY) return Promise.reject(failure('EBUSY', 'too many names are being looked up'))
  const addresses = find().finally(() => underWay.delete(name))
  underWay.set(name, addresses)
  return addresses
}

/** A separate resolver for each name can be canceled alone, and reads the current list of name servers. */
async function queryDns(
  name: string,
  servers: readonly string[] | undefined,
  deadlineMs: number,
): Promise<LookupAddress[]> {
  const resolver = new promises.Resolver({ timeout: Math.min(RESPONSE_MS, deadlineMs), tries: TRIES })
  if (servers) resolver.setServers(servers)
  let deadline = setTimeout(() => resolver.cancel(), deadlineMs)
  const waitLittle = () => {
    clearTimeout(deadline)
    deadline = setTimeout(() => resolver.cancel(), Math.min(OTHER_KIND_MS, deadlineMs))
  }
  try {
    const queries = [resolver.resolve4(name), resolver.resolve6(name)] as const
    Promise.any(queries).then(waitLittle, () => {})
    const [ipv4, ipv6] = await Promise.allSettled(queries)
    const all: LookupAddress[] = []
    if (ipv4.status === 'fulfilled') all.push(...ipv4.value.map((address) => ({ address, family: 4 })))
    if (ipv6.status === 'fulfilled') all.push(...ipv6.value.map((address) => ({ address, family: 6 })))
    if (all.length > 0) return all
    throw ipv4.status === 'rejected' ? ipv4.reason : failure('ENOTFOUND', `${name} has no address`)
  } finally {
    clearTimeout(deadline)
  }
}

function querySystem(system: ResolveName, name: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    system(name, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  })
}

/**
 * The caller stops waiting; the look-up continues until the system ends it, and is not started a second time meanwhile.
 */
async function withinDeadline(
  addresses: Promise<LookupAddress[]>,
  name: string,
  deadlineMs: number,
): Promise<LookupAddress[]> {
  const late = Promise.withResolvers<never>()
  const deadline = setTimeout(() => late.reject(failure('ETIMEOUT', `${name} was not resolved in time`)), deadlineMs)
  try {
    return await Promise.race([addresses, late.promise])
  } finally {
    clearTimeout(deadline)
  }
}

function failure(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}
