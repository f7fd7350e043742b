import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

/** The longest time until an address that was added or removed is noticed. */
const RESOLVE_EVERY_MS = 1000
/** A replica that failed is left out for this long: a restart takes longer, a network glitch less. */
const LEFT_OUT_MS = 2000

/** The addresses of a host name. @throws when it cannot be resolved */
type Resolve = (hostname: string) => Promise<string[]>

/**
 * Watches whether a replica accepts requests. Until the first report it counts as ready.
 * @returns a function that ends it
 */
export type Watch = (origin: string, report: (takesRequests: boolean) => void) => () => void

/** More than the possible number of running requests, so that it outweighs them; TRIED_COST outweighs both. */
const LEFT_OUT_COST = 1e6
const TRIED_COST = 1e9

/**
 * The replicas of one service that requests are distributed over. An origin is one replica. A host name is resolved
 * again every second, independently of requests; if that fails, the last known addresses are used.
 */
export class Replicas {
  #origins: string[] = []
  readonly #underWay = new Map<string, number>()
  readonly #leftOut = new Map<string, number>()
  readonly #down = new Set<string>()
  readonly #watch: Watch
  readonly #watched = new Map<string, () => void>()
  readonly #stopResolving: () => void
  #turn = 0

  constructor(addresses: readonly string[], watch: Watch, resolve: Resolve = resolveHost) {
    this.#watch = watch
    this.#useOrigins(addresses)
    this.#stopResolving = resolveRepeatedly(addresses, resolve, (origins) => this.#useOrigins(origins))
  }

  /**
   * The replica with the fewest running requests, in turn among equals. One that is down, left out, or was already
   * tried, is chosen only when there is no other.
   */
  choose(tried: readonly string[]): string {
    const [only = '', another] = this.#origins
    if (another === undefined) return only
    const costs = this.#origins.map(
      (origin) =>
        (this.#underWay.get(origin) ?? 0) +
        (this.#down.has(origin) || this.#isLeftOut(origin) ? LEFT_OUT_COST : 0) +
        (tried.includes(origin) ? TRIED_COST : 0),
    )
    const least = Math.min(...costs)
    const best = this.#origins.filter((_origin, index) => costs[index] === least)
    // Only these take turns: otherwise the replica after one that is left out would get its share, too.
    this.#turn++
    return best[this.#turn % best.length] ?? ''
  }

  /** Whether there is a replica that was not tried. */
  hasOther(tried: readonly string[]): boolean {
    return this.#origins.some((origin) => !tried.includes(origin))
  }

  /** @returns a function to call when the replica has responded or failed */
  enter(origin: string): () => void {
    this.#underWay.set(origin, (this.#underWay.get(origin) ?? 0) + 1)
    return () => {
      const left = (this.#underWay.get(origin) ?? 1) - 1
      // Addresses come and go: unused ones are deleted.
      if (left === 0) this.#underWay.delete(origin)
      else this.#underWay.set(origin, left)
    }
  }

  /** Sends nothing to a replica for a moment. */
  leaveOut(origin: string): void {
    this.#leftOut.set(origin, performance.now() + LEFT_OUT_MS)
  }

  stop(): void {
    this.#stopResolving()
    for (const unwatch of this.#watched.values()) unwatch()
  }

  #useOrigins(found: readonly string[]): void {
    this.#origins = [...new Set(found)]
    for (const origin of this.#origins) {
      if (!this.#watched.has(origin)) this.#watched.set(origin, this.#follow(origin))
    }
    for (const [origin, unwatch] of this.#watched) {
      if (this.#origins.includes(origin)) continue
      unwatch()
      this.#watched.delete(origin)
      this.#down.delete(origin)
      this.#leftOut.delete(origin)
    }
  }

  #follow(origin: string): () => void {
    return this.#watch(origin, (takesRequests) => {
      if (takesRequests) {
        this.#down.delete(origin)
        this.#leftOut.delete(origin)
      } else this.#down.add(origin)
    })
  }

  #isLeftOut(origin: string): boolean {
    const untilMs = this.#leftOut.get(origin)
    if (untilMs === undefined) return false
    if (performance.now() < untilMs) return true
    this.#leftOut.delete(origin)
    return false
  }
}

/**
 * Resolves the origins behind addresses repeatedly, unless no address can change.
 * @param use gets all of them whenever all could be resolved
 * @returns a function that ends it
 */
function resolveRepeatedly(
  addresses: readonly string[],
  resolve: Resolve,
  use: (origins: readonly string[]) => void,
): () => void {
  let stopped = false
  let resolving = false

  async function findOrigins(): Promise<void> {
    const found = await Promise.all(addresses.map((address) => originsOf(address, resolve))).catch(() => undefined)
    if (found && !stopped) use(found.flat())
  }

  const timer = addresses.some(isNamed)
    ? setInterval(() => {
        if (resolving) return
        resolving = true
        void findOrigins().finally(() => (resolving = false))
      }, RESOLVE_EVERY_MS)
    : undefined
  timer?.unref()
  if (timer) void findOrigins()
  return () => {
    stopped = true
    clearInterval(timer)
  }
}

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
