import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock, RedisClient } from '@storefront/chassis'
import { allowanceOf, type Allowance } from './allowance.ts'

const WINDOW_MS = 60_000
const MAX_PARTIES = 50_000

/** One step, so that a crash between counting and expiring cannot lock an address out for good. */
const COUNT = `
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`
const Counted = z.tuple([z.int(), z.int()])

interface Window {
  /** Attempts as far as this gateway knows: what Redis last said, and its own since. */
  count: number
  /** Attempts that Redis has not been told of, or perhaps not: rather counted twice than not at all. */
  owed: number
  endsAtMs: number
}

export interface StrictLimit {
  /** Counts an attempt. @returns undefined when there is no limit */
  count(party: string): Promise<Allowance | undefined>
}

/**
 * A limit for what somebody might try out by force: counted in Redis before the attempt is let through, so that all
 * gateways together allow no more than it says. Without Redis each gateway goes on counting by itself, and hands in its
 * count when Redis is back.
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
  const windows = new LRUCache<string, Window>({ max: MAX_PARTIES })

  function windowOf(party: string): Window {
    const now = clock.now().getTime()
    let window = windows.get(party)
    if (!window || window.endsAtMs <= now) {
      window = { count: 0, owed: 0, endsAtMs: now + WINDOW_MS }
      windows.set(party, window)
    }
    return window
  }

  async function countTogether(party: string, window: Window): Promise<Allowance | undefined> {
    const { owed } = window
    window.owed = 0
    try {
      const key = `${namespace}:rl:{${name}:${party}}`
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
    async count(party) {
      if (limit === 0) return undefined
      const window = windowOf(party)
      window.count++
      window.owed++
      const shared = redis.status === 'ready' ? await countTogether(party, window) : undefined
      return shared ?? allowanceOf(limit, window.count, window.endsAtMs - clock.now().getTime())
    },
  }
}
