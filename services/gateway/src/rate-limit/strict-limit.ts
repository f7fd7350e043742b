import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock, RedisClient } from '@storefront/chassis'
import { allowanceOf, type Allowance } from './allowance.ts'

const WINDOW_MS = 60_000
const MAX_PARTIES = 50_000

/** One step, so that a crash between counting and expiring cannot lock an address out for good. */
const COUNT = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`
const Counted = z.tuple([z.int(), z.int()])

export interface StrictLimit {
  /** Counts an attempt. @returns undefined when there is no limit */
  count(party: string): Promise<Allowance | undefined>
}

/**
 * A limit for what somebody might try out by force: counted in Redis before the attempt is let through, so that all
 * gateways together allow no more than it says. Without Redis each gateway holds it by itself.
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
  const local = new LRUCache<string, { count: number; endsAtMs: number }>({ max: MAX_PARTIES })

  function countLocally(party: string): Allowance {
    const now = clock.now().getTime()
    let window = local.get(party)
    if (!window || window.endsAtMs <= now) {
      window = { count: 0, endsAtMs: now + WINDOW_MS }
      local.set(party, window)
    }
    window.count++
    return allowanceOf(limit, window.count, window.endsAtMs - now)
  }

  return {
    async count(party) {
      if (limit === 0) return undefined
      if (redis.status !== 'ready') return countLocally(party)
      try {
        const key = `${namespace}:rl:{${name}:${party}}`
        const [count, leftMs] = Counted.parse(await redis.eval(COUNT, 1, key, WINDOW_MS))
        return allowanceOf(limit, count, leftMs)
      } catch {
        return countLocally(party)
      }
    },
  }
}
