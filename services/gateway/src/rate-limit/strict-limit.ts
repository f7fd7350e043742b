import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock, RedisClient } from '@storefront/service'
import { allowanceOf, type Allowance } from './allowance.ts'

const WINDOW_MS = 60_000
const MAX_CLIENTS = 50_000

/** One script, so that a crash between counting and setting the expiry cannot block an address forever. */
const COUNT = `
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`
const Counted = z.tuple([z.int(), z.int()])

interface Window {
  /** The attempts known to this gateway: the last count from Redis, and its own since then. */
  count: number
  /** Attempts that may not have reached Redis: counting them twice is better than not at all. */
  owed: number
  endsAtMs: number
}

export type StrictLimit = ReturnType<typeof strictLimit>

/**
 * A limit against brute force: an attempt is counted in Redis before it is forwarded, so that all gateways together
 * allow no more than the limit. Without Redis each gateway counts alone, and sends its counts when Redis is back.
 * @param limit attempts in the minute that begins with the first one; 0 for no limit
 */
export function strictLimit(options: {
  name: string
  limit: number
  redis: RedisClient
  namespace: string
  clock: Clock
}) {
  const { name, limit, redis, namespace, clock } = options
  // With `max` it would reserve the memory of all clients at the start.
  const windows = new LRUCache<string, Window>({ maxSize: MAX_CLIENTS, sizeCalculation: () => 1 })

  function windowOf(client: string): Window {
    const now = clock.now().getTime()
    let window = windows.get(client)
    if (!window || window.endsAtMs <= now) {
      window = { count: 0, owed: 0, endsAtMs: now + WINDOW_MS }
      windows.set(client, window)
    }
    return window
  }

  async function countTogether(client: string, window: Window): Promise<Allowance | undefined> {
    const { owed } = window
    window.owed = 0
    try {
      const key = `${namespace}:rl:{${name}:${client}}`
      const [count, leftMs] = Counted.parse(await redis.eval(COUNT, 1, key, WINDOW_MS, owed))
      window.count = Math.max(window.count, count)
      window.endsAtMs = clock.now().getTime() + leftMs
      return allowanceOf(limit, count, leftMs)
    } catch {
      window.owed += owed
      return undefined
    }
  }

  return {
    /** Counts an attempt. @returns undefined when there is no limit */
    async count(client: string): Promise<Allowance | undefined> {
      if (limit === 0) return undefined
      const window = windowOf(client)
      window.count++
      window.owed++
      const shared = redis.status === 'ready' ? await countTogether(client, window) : undefined
      return shared ?? allowanceOf(limit, window.count, window.endsAtMs - clock.now().getTime())
    },
  }
}
