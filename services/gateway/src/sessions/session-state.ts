import { LRUCache } from 'lru-cache'
import { CheckSession, revocationsMark, revokedKey } from '@storefront/contracts'
import { ask, serverRunOf, type Clock, type Log, type Messaging, type RedisClient } from '@storefront/chassis'

/** How long identity's word that a session is open holds while Redis is gone. */
const TRUSTED_MS = 3000
const ASK_TIMEOUT_MS = 1000
const MAX_REMEMBERED = 20_000

/** @returns whether a session, or a secret key, is still open; false also when nobody can say */
export type IsOpen = (id: string) => Promise<boolean>

/** Asked with every request that carries a token or a key: what was ended elsewhere ends here at once. */
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
  const mark = revocationsMark(namespace)
  const serverRun = connectedRun(redis)

  /** @returns undefined when Redis cannot say, or may have lost what it should know */
  async function askRedis(id: string): Promise<boolean | undefined> {
    if (redis.status !== 'ready') return undefined
    try {
      const run = await serverRun()
      const [revoked, sharedWith] = await redis.mget(revokedKey(namespace, id), mark)
      if (revoked !== null) return false
      return sharedWith === run ? true : undefined
    } catch {
      return undefined
    }
  }

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

  return async (id) => {
    const known = await askRedis(id)
    if (known !== undefined) return known
    if ((openUntil.get(id) ?? 0) > clock.now().getTime()) return true
    const asked = asking.get(id) ?? askIdentity(id).finally(() => asking.delete(id))
    asking.set(id, asked)
    return asked
  }
}

/** Asks once a connection which run of the server it leads to. */
function connectedRun(redis: RedisClient): () => Promise<string> {
  let run: Promise<string> | undefined
  const forget = () => {
    run = undefined
  }
  redis.on('close', forget)
  return () => {
    if (!run) {
      run = serverRunOf(redis)
      run.catch(forget)
    }
    return run
  }
}
