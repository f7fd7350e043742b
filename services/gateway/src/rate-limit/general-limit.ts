import { LRUCache } from 'lru-cache'
import { every, type Clock, type Log, type RedisClient, type Timer, chunksOf } from '@storefront/service'
import { allowanceOf, type Allowance } from './allowance.ts'

const WINDOW_MS = 60_000
const SYNCHRONIZE_MS = 200
/** Clients in memory at once; in a flood of addresses the least active are deleted first. */
const MAX_CLIENTS = 100_000
const PIPELINE_LENGTH = 1000

interface Tally {
  client: string
  window: number
  /** The last count from Redis, to which our own count is added. */
  shared: number
  inFlight: number
  pending: number
}

interface Options {
  /** Distinguishes the keys and the timer of this limit from those of others. */
  name: string
  /** Requests in a minute, 0 for no limit. */
  limit: number
  redis: RedisClient
  namespace: string
  clock: Clock
  log: Log
}

/**
 * A limit on every request of a kind, shared by all gateways. Requests are counted in memory and merged in Redis five
 * times a second, so that none waits for it: clients may exceed the limit by the requests in between. Without Redis
 * each gateway counts alone, and sends its counts when Redis is back.
 */
export class GeneralLimit {
  readonly #options: Options
  #unsynchronized = new Set<Tally>()
  #newestWindow = 0
  // The counts of a deleted client are dropped, too: without Redis the list would grow with every address.
  readonly #tallies = new LRUCache<string, Tally>({
    // With `max` it would reserve the memory of all clients at the start.
    maxSize: MAX_CLIENTS,
    sizeCalculation: () => 1,
    dispose: (tally) => this.#unsynchronized.delete(tally),
  })
  readonly #timer: Timer

  constructor(options: Options) {
    this.#options = options
    this.#timer = every(SYNCHRONIZE_MS, `rate limit ${options.name}`, options.log, () => this.#synchronize())
  }

  /** Counts a request. @returns undefined when there is no limit */
  count(client: string): Allowance | undefined {
    const { limit, clock } = this.#options
    if (limit === 0) return undefined
    const now = clock.now().getTime()
    const window = Math.floor(now / WINDOW_MS)
    this.#deleteBefore(window)
    let tally = this.#tallies.get(client)
    if (!tally) {
      tally = { client, window, shared: 0, inFlight: 0, pending: 0 }
      this.#tallies.set(client, tally)
    }
    tally.pending++
    this.#unsynchronized.add(tally)
    return allowanceOf(limit, tally.shared + tally.inFlight + tally.pending, (window + 1) * WINDOW_MS - now)
  }

  /** The number of clients whose counts were not yet sent to Redis. */
  waiting(): number {
    return this.#unsynchronized.size
  }

  stop(): Promise<void> {
    return this.#timer.stop()
  }

  async #synchronize(): Promise<void> {
    const { clock, redis } = this.#options
    const window = Math.floor(clock.now().getTime() / WINDOW_MS)
    this.#deleteBefore(window)
    if (this.#unsynchronized.size === 0 || redis.status !== 'ready') return
    const tallies = [...this.#unsynchronized]
    this.#unsynchronized = new Set()
    for (const batch of chunksOf(tallies, PIPELINE_LENGTH)) await this.#synchronizeBatch(batch, window)
  }

  async #synchronizeBatch(batch: Tally[], window: number): Promise<void> {
    const { name, redis, namespace } = this.#options
    const pipeline = redis.pipeline()
    for (const tally of batch) {
      const key = `${namespace}:rl:{${name}:${tally.client}}:${window}`
      pipeline.incrby(key, tally.pending).pexpire(key, 2 * WINDOW_MS)
      tally.inFlight = tally.pending
      tally.pending = 0
    }
    const results = await pipeline.exec().catch(() => null)
    batch.forEach((tally, index) => {
      if (tally.window !== this.#newestWindow) return
      const [error, count] = results?.[2 * index] ?? []
      if (error === null && typeof count === 'number') tally.shared = count
      // Counts of a client that was deleted meanwhile are dropped, or the list would grow with every address.
      else if (this.#tallies.peek(tally.client) === tally) {
        tally.pending += tally.inFlight
        this.#unsynchronized.add(tally)
      }
      tally.inFlight = 0
    })
  }

  /** Deletes the counts of past minutes. */
  #deleteBefore(window: number): void {
    if (window === this.#newestWindow) return
    this.#newestWindow = window
    this.#tallies.clear()
    this.#unsynchronized = new Set()
  }
}
