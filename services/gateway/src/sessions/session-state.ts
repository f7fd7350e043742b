import { LRUCache } from 'lru-cache'
import { CheckSession, revocationsMark, revokedKey } from '@storefront/contracts'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { serverRunOf, shareReads, type Clock, type Log, type RedisClient } from '@storefront/service'

/** How long identity's reply that a session is open is used while Redis cannot report it, unless it is revoked. */
const TRUSTED_MS = 3000
const REQUEST_TIMEOUT_MS = 1000
const MAX_REMEMBERED = 20_000
/** The same failure is logged once a minute. */
const WARN_MS = 60_000

/** @returns whether a session, or a secret key, is still open; false also when that is unknown */
export type IsOpen = (id: string) => Promise<boolean>

interface RedisOptions {
  redis: RedisClient
  namespace: string
  clock: Clock
  log: Log
}

export interface SessionState {
  /** Called for every request with a token or a key, so that a session that ended elsewhere ends here at once. */
  isOpen: IsOpen
  /** Called when sessions or keys have ended. */
  end(ids: readonly string[]): void
}

export function sessionState(options: RedisOptions & { messaging: Messaging }): SessionState {
  const { messaging, clock, log } = options
  const openUntil = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  /** A revoked session never opens again, so it is cached for as long as there is room. */
  const ended = new LRUCache<string, true>({ max: MAX_REMEMBERED })
  const pending = new Map<string, Promise<boolean>>()
  const readRedis = redisReader(options)

  async function requestFromIdentity(sessionId: string): Promise<boolean> {
    try {
      const { active } = await sendRequest(messaging, CheckSession, { sessionId }, { timeoutMs: REQUEST_TIMEOUT_MS })
      if (active) openUntil.set(sessionId, clock.now().getTime() + TRUSTED_MS)
      return active
    } catch (error) {
      log.debug({ err: error }, 'the state of a session cannot be determined, so it counts as closed')
      return false
    }
  }

  async function findOut(id: string): Promise<boolean> {
    const known = await readRedis(id)
    if (known !== undefined) return known
    if ((openUntil.get(id) ?? 0) > clock.now().getTime()) return true
    const request = pending.get(id) ?? requestFromIdentity(id).finally(() => pending.delete(id))
    pending.set(id, request)
    return request
  }

  return {
    // Checked again: the reply may have been sent before the session ended.
    isOpen: async (id) => !ended.has(id) && (await findOut(id)) && !ended.has(id),
    end(ids) {
      for (const id of ids) ended.set(id, true)
    },
  }
}

/** Reads whether a session is open; undefined when Redis cannot reply, or may have lost revocations. */
function redisReader({ redis, namespace, clock, log }: RedisOptions): (id: string) => Promise<boolean | undefined> {
  const mark = revocationsMark(namespace)
  const readMark = shareReads(() => redis.get(mark))
  const serverRun = connectedRun(redis)
  let quietUntilMs = 0

  /**
   * The Redis client logs that Redis is down. A Redis that responds but cannot be used would otherwise only show in
   * identity's load.
   */
  function warn(reason: string): void {
    const now = clock.now().getTime()
    if (now < quietUntilMs) return
    quietUntilMs = now + WARN_MS
    log.warn(
      { error: reason },
      'Redis cannot report which sessions have ended, so identity is called; check the permissions of the Redis user',
    )
  }

  return async (id) => {
    if (redis.status !== 'ready') return undefined
    try {
      const run = await serverRun()
      // One round trip, because the client pipelines both commands. Not one command: in a cluster the two keys are in
      // different slots. The mark goes first, so that revocations that are only being written do not count as complete.
      const [sharedWith, revoked] = await Promise.all([readMark(), redis.get(revokedKey(namespace, id))])
      if (revoked !== null) return false
      return sharedWith === run ? true : undefined
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== undefined) warn(reason)
      return undefined
    }
  }
}

/**
 * The error of a Redis that is up: a missing permission, a key in another slot.
 * @returns only its message, because the error also contains the command; undefined for one that is down or still
 * starting
 */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined
  return /^(LOADING|BUSY|MASTERDOWN)/.test(error.message) ? undefined : error.message
}

/** Reads once per connection which run of the server it leads to. */
function connectedRun(redis: RedisClient): () => Promise<string> {
  let run: Promise<string> | undefined
  const remove = () => {
    run = undefined
  }
  redis.on('close', remove)
  return () => {
    if (!run) {
      run = serverRunOf(redis)
      run.catch(remove)
    }
    return run
  }
}
