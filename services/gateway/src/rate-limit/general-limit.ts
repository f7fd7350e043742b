import { LRUCache } from 'lru-cache'
import { every, type Clock, type Log, type RedisClient } from '@storefront/service'
import { allowanceOf, type Allowance } from './allowance.ts'

const WINDOW_MS = 60_000
const SYNCHRONIZE_MS = 200
/** Clients in memory at once; in a flood of addresses the least active are deleted first. */
const MAX_CLIENTS = 100_000
const PIPELINE_LENGTH = 1000

interface Tally {
  client: string
  window: number
  /** The last count from Redis, on which our own count is added. */
  shared: number
  inFlight: number
  pending: number
}

export interface GeneralLimit {
  /** Counts a request. @returns undefined when there is no limit */
  count(client: string): Allowance | undefined
  /** The number of clients whose counts were not yet sent to Redis. */
  waiting(): number
  stop(): Promise<void>
}

/**
 * A limit on every request of a kind, shared by all gateways. Counted in memory and merged in Redis five
 * times a second, so that no request waits for it: the shop may exceed it by the requests in between. Without Redis
 * each gateway counts for itself, and sends its count when Redis is back.
 * @param name of the limit, because there are several
 * @param limit requests in a minute, 0 for no limit
 */
export function generalLimit(options: {
  name: string
  limit: number
  redis: RedisClient
  namespace: string
  clock: Clock
  log: Log
}): GeneralLimit {
  const { name, limit, redis, namespace, clock, log } = options
  let unsynchronized = new Set<Tally>()
  let newestWindow = 0
  // The counts of a deleted client are not sent either: without Redis the list would grow with every address.
  const tallies = new LRUCache<string, Tally>({ max: MAX_CLIENTS, dispose: (tally) => unsynchronized.delete(tally) })

  const timer = every(SYNCHRONIZE_MS, `rate limit ${name}`, log, async () => {
    const window = currentWindow()
    deleteBefore(window)
    if (unsynchronized.size === 0 || redis.status !== 'ready') return
    const batch = [...unsynchronized]
    unsynchronized = new Set()
    for (let start = 0; start < batch.length; start += PIPELINE_LENGTH) {
      await synchronize(batch.slice(start, start + PIPELINE_LENGTH), window)
    }
  })

  async function synchronize(batch: Tally[], window: number): Promise<void> {
    const pipeline = redis.pipeline()
    for (const tally of batch) {
      const key = `${namespace}:rl:{${name}:${tally.client}}:${window}`
      pipeline.incrby(key, tally.pending).pexpire(key, 2 * WINDOW_MS)
      tally.inFlight = tally.pending
      tally.pending = 0
    }
    const results = await pipeline.exec().catch(() => null)
    batch.forEach((tally, index) => {
      if (tally.window !== newestWindow) return
      const [error, count] = results?.[2 * index] ?? []
      if (error === null && typeof count === 'number') tally.shared = count
      else {
        tally.pending += tally.inFlight
        unsynchronized.add(tally)
      }
      tally.inFlight = 0
    })
  }

  /** The counts of a minute that is over no longer matter. */
  function deleteBefore(window: number): void {
    if (window === newestWindow) return
    newestWindow = window
    tallies.clear()
    unsynchronized = new Set()
  }

  function currentWindow(): number {
    return Math.floor(clock.now().getTime() / WINDOW_MS)
  }

  return {
    count(client) {
      if (limit === 0) return undefined
      const now = clock.now().getTime()
      const window = Math.floor(now / WINDOW_MS)
      deleteBefore(window)
      let tally = tallies.get(client)
      if (!tally) {
        tally = { client, window, shared: 0, inFlight: 0, pending: 0 }
        tallies.set(client, tally)
      }
      tally.pending++
      unsynchronized.add(tally)
      return allowanceOf(limit, tally.shared + tally.inFlight + tally.pending, (window + 1) * WINDOW_MS - now)
    },
    waiting: () => unsynchronized.size,
    stop: () => timer.stop(),
  }
}
