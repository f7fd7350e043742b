import { LRUCache } from 'lru-cache'
import { CheckSession } from '@storefront/contracts'
import { ask, type Clock, type Log, type Messaging, type RedisClient } from '@storefront/chassis'

/** How long identity's word that a session is open holds while Redis is gone. */
const TRUSTED_MS = 3000
const ASK_TIMEOUT_MS = 1000
const MAX_REMEMBERED = 20_000

/** @returns whether a session is still open; false also when nobody can say */
export type IsOpen = (sessionId: string) => Promise<boolean>

/** Identity writes this key for as long as a token of the session could still be shown. */
export function revokedKey(namespace: string, sessionId: string): string {
  return `${namespace}:revoked:${sessionId}`
}

/** Asked with every request that carries a token: a session signed out elsewhere ends here at once. */
export function sessionState(options: {
  redis: RedisClient
  messaging: Messaging
  namespace: string
  clock: Clock
  log: Log
}): IsOpen {
  const { redis, messaging, namespace, clock, log } = options
  const openUntil = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  const asking = new Map<string, Promise<boolean>>()

  async function askIdentity(sessionId: string): Promise<boolean> {
    try {
      const { active } = await ask(messaging, CheckSession, { sessionId }, { timeoutMs: ASK_TIMEOUT_MS })
      if (active) openUntil.set(sessionId, clock.now().getTime() + TRUSTED_MS)
      return active
    } catch (error) {
      log.debug({ err: error }, 'nobody can say whether a session is open, so it counts as closed')
      return false
    }
  }

  return async (sessionId) => {
    if (redis.status === 'ready') {
      try {
        return (await redis.exists(revokedKey(namespace, sessionId))) === 0
      } catch {
        // Identity knows too.
      }
    }
    if ((openUntil.get(sessionId) ?? 0) > clock.now().getTime()) return true
    const asked = asking.get(sessionId) ?? askIdentity(sessionId).finally(() => asking.delete(sessionId))
    asking.set(sessionId, asked)
    return asked
  }
}
