import { LRUCache } from 'lru-cache'
import { CheckSession, revocationsMark, revokedKey, SessionsEnded } from '@storefront/contracts'
import {
  ask,
  hearSignal,
  serverRunOf,
  type Clock,
  type Log,
  type Messaging,
  type RedisClient,
} from '@storefront/chassis'

/** How long identity's word that a session is open holds while Redis is gone, unless it takes it back. */
const TRUSTED_MS = 3000
const ASK_TIMEOUT_MS = 1000
const MAX_REMEMBERED = 20_000
/** The same trouble is worth a line a minute. */
const WARN_MS = 60_000

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
  /** None begins again: they are remembered for as long as there is room. */
  const ended = new LRUCache<string, true>({ max: MAX_REMEMBERED })
  const asking = new Map<string, Promise<boolean>>()
  const mark = revocationsMark(namespace)
  const serverRun = connectedRun(redis)
  let quietUntilMs = 0

  hearSignal({ messaging, log }, SessionsEnded, ({ ids }) => {
    for (const id of ids) ended.set(id, true)
  })

  /** That Redis is away its client says. That it is there and of no use would otherwise only show in identity's work. */
  function warnOf(refusal: string): void {
    const now = clock.now().getTime()
    if (now < quietUntilMs) return
    quietUntilMs = now + WARN_MS
    log.warn({ refusal }, 'Redis cannot say which sessions are over, so identity is asked with every request')
  }

  /** @returns undefined when Redis cannot say, or may have lost what it should know */
  async function askRedis(id: string): Promise<boolean | undefined> {
    if (redis.status !== 'ready') return undefined
    try {
      const run = await serverRun()
      // One round trip, for the client sends together what is asked together. Not one command: behind a cluster the two
      // lie in different slots. The mark goes first, so that revocations that are only being written do not count as there.
      const [sharedWith, revoked] = await Promise.all([redis.get(mark), redis.get(revokedKey(namespace, id))])
      if (revoked !== null) return false
      return sharedWith === run ? true : undefined
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal !== undefined) warnOf(refusal)
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

  async function findOut(id: string): Promise<boolean> {
    const known = await askRedis(id)
    if (known !== undefined) return known
    if ((openUntil.get(id) ?? 0) > clock.now().getTime()) return true
    const asked = asking.get(id) ?? askIdentity(id).finally(() => asking.delete(id))
    asking.set(id, asked)
    return asked
  }

  // Looked at again: what was asked may have been answered before the end.
  return async (id) => !ended.has(id) && (await findOut(id)) && !ended.has(id)
}

/**
 * What a Redis that is there refuses with: a right that is missing, a key in another slot.
 * @returns its words alone, because the error also carries the command; undefined for one that is away or still starting
 */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined
  return /^(LOADING|BUSY|MASTERDOWN)/.test(error.message) ? undefined : error.message
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
