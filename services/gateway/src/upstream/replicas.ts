import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

/** The longest time that a vanished address is still used; new addresses are used as soon. */
const RESOLVE_EVERY_MS = 1000
/** A replica that failed is left out for this long: a restart takes longer, a network glitch less. */
const LEFT_OUT_MS = 2000

/** The addresses of a host name. @throws when it cannot be resolved */
export type Resolve = (hostname: string) => Promise<string[]>

/**
 * Watches whether a replica accepts requests. Until the first report it counts as ready.
 * @returns a function that ends it
 */
export type Watch = (origin: string, report: (takesRequests: boolean) => void) => () => void

/** The replicas of one service that requests are distributed over. An origin is one replica. */
export interface Replicas {
  /**
   * The replica with the fewest running requests, in turn among equals. One that is down, left out, or was already
   * tried, is chosen only when there is no other.
   */
  choose(tried: readonly string[]): string
  /** Whether there is a replica that was not tried. */
  hasOther(tried: readonly string[]): boolean
  /** @returns a function to call when the replica has responded or failed */
  enter(origin: string): () => void
  /** Sends nothing to a replica for a moment. */
  leaveOut(origin: string): void
  stop(): void
}

/**
 * Finds the replicas behind addresses. A host name is resolved again every second, independently of requests; if that
 * fails, the last known addresses are used.
 */
export function replicasBehind(addresses: readonly string[], watch: Watch, resolve: Resolve = resolveHost): Replicas {
  let origins: string[] = []
  const underWay = new Map<string, number>()
  const leftOut = new Map<string, number>()
  const away = new Set<string>()
  const watched = new Map<string, () => void>()
  let turn = 0

  function useOrigins(found: readonly string[]): void {
    origins = [...new Set(found)]
    for (const origin of origins) if (!watched.has(origin)) watched.set(origin, follow(origin))
    for (const [origin, unwatch] of watched) {
      if (origins.includes(origin)) continue
      unwatch()
      watched.delete(origin)
      away.delete(origin)
      leftOut.delete(origin)
    }
  }

  function follow(origin: string): () => void {
    return watch(origin, (takesRequests) => {
      if (takesRequests) {
        away.delete(origin)
        leftOut.delete(origin)
      } else away.add(origin)
    })
  }
  useOrigins(addresses)

  async function findOrigins(): Promise<void> {
    const found = await Promise.all(addresses.map((address) => originsOf(address, resolve))).catch(() => undefined)
    if (found && !stopped) useOrigins(found.flat())
  }

  let stopped = false
  let resolving = false
  const timer = addresses.some(isNamed)
    ? setInterval(() => {
        if (resolving) return
        resolving = true
        void findOrigins().finally(() => (resolving = false))
      }, RESOLVE_EVERY_MS)
    : undefined
  timer?.unref()
  if (timer) void findOrigins()

  function isLeftOut(origin: string): boolean {
    const untilMs = leftOut.get(origin)
    if (untilMs === undefined) return false
    if (performance.now() < untilMs) return true
    leftOut.delete(origin)
    return false
  }

  return {
    choose(tried) {
      const costs = origins.map(
        (origin) =>
          (underWay.get(origin) ?? 0) +
          (away.has(origin) || isLeftOut(origin) ? LEFT_OUT_COST : 0) +
          (tried.includes(origin) ? TRIED_COST : 0),
      )
      const least = Math.min(...costs)
      const best = origins.filter((_origin, index) => costs[index] === least)
      // In turn among these alone: the replica after one that is left out must not get its share.
      turn++
      return best[turn % best.length] ?? ''
    },
    hasOther: (tried) => origins.some((origin) => !tried.includes(origin)),
    enter(origin) {
      underWay.set(origin, (underWay.get(origin) ?? 0) + 1)
      return () => {
        const left = (underWay.get(origin) ?? 1) - 1
        // Addresses come and go: unused ones are deleted.
        if (left === 0) underWay.delete(origin)
        else underWay.set(origin, left)
      }
    },
    leaveOut(origin) {
      leftOut.set(origin, performance.now() + LEFT_OUT_MS)
    },
    stop() {
      stopped = true
      clearInterval(timer)
      for (const unwatch of watched.values()) unwatch()
    },
  }
}

/** More than the possible number of running requests, so that it outweighs them; having been tried outweighs that. */
const LEFT_OUT_COST = 1e6
const TRIED_COST = 1e9

async function originsOf(address: string, resolve: Resolve): Promise<string[]> {
  if (!isNamed(address)) return [address]
  const { hostname, port } = new URL(address)
  const found = await resolve(hostname)
  if (found.length === 0) throw new Error(`${hostname} has no address`)
  return found.map((ip) => `http://${isIP(ip) === 6 ? `[${ip}]` : ip}${port === '' ? '' : `:${port}`}`)
}

/** With HTTPS the host name is kept: the certificate is issued for it. */
function isNamed(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
}

/**
 * With the system's resolver, as all other programs do; IPv6 only where there is no IPv4, or each replica would count
 * twice.
 */
async function resolveHost(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true })
  const ipv4 = found.filter(({ family }) => family === 4)
  return (ipv4.length > 0 ? ipv4 : found).map(({ address }) => address)
}
