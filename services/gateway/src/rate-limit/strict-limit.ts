import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock, RedisClient } from '@storefront/service'
import { allowanceOf, type Allowance } from './allowance.ts'

const WINDOW_MS = 60_000
const MAX_CLIENTS = 50_000

/** One step, so that a crash between counting and expiring cannot block an address for good. */
const COUNT = `
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`
const Counted = z.tuple([z.int(), z.int()])

interface Window {
  /** The attempts as far as this gateway knows: the last count from Redis, and its own since. */
  count: number
  /** Attempts that were possibly not sent to Redis: counting them twice is better than not at all. */
  owed: number
  endsAtMs: number
}

export interface StrictLimit {
  /** Counts an attempt. @returns undefined when there is no limit */
  count(client: string): Promise<Allowance | undefined>
}

/**
 * A limit against brute force: counted in Redis before the attempt is let through, so that all gateways together allow
 * no more than the limit. Without Redis each gateway continues counting by itself, and sends its count when Redis is
 * back.
 * @param limit attempts in a minute, which begins with the first one; 0 for no limit
 */
export function strictLimit(options: {
  name: string
  limit: number
  redis: RedisClient
  namespace: string
  clock: Clock
}): StrictLimit {
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
    async count(client) {
      if (limit === 0) return undefined
      const window = windowOf(client)
      window.count++
      window.owed++
      const shared = redis.status === 'ready' ? await countTogether(client, window) : undefined
      return shared ?? allowanceOf(limit, window.count, window.endsAtMs - clock.now().getTime())
    },
  }
}
