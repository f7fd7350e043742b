import { LRUCache } from 'lru-cache'
import { apiKeyDigest, FindApiKey, type Permission } from '@storefront/contracts'
import { ask, type Clock, type Log, type Messaging } from '@storefront/chassis'
import type { Caller } from './caller.ts'
import { knownPermissions } from './caller.ts'

/** Identity is asked for a key once in this time, however busy it is. */
const REMEMBERED_MS = 60_000
/** Short, so that a key that was just made, or a database that was just restored, does not have to wait. */
const UNKNOWN_REMEMBERED_MS = 5000
const ASK_TIMEOUT_MS = 1000
/** A shop has up to a hundred. */
const MAX_REMEMBERED = 1000
/** Made-up keys have a place of their own, so that they cannot crowd out good ones. */
const MAX_UNKNOWN_REMEMBERED = 20_000
/** Questions under way beyond this are not asked: only somebody who makes up keys has so many. */
const MAX_ASKING = 200

interface FoundKey {
  id: string
  permissions: Permission[]
  expiresAtMs: number
}

/** @returns undefined for a key that is made up, revoked or expired, and when identity cannot be asked */
export type ReadApiKey = (key: string) => Promise<Caller | undefined>

/** Makes the function that tells whose secret key this is. Of the key itself only a digest is kept or sent on. */
export function apiKeyReader(options: { messaging: Messaging; clock: Clock; log: Log }): ReadApiKey {
  const { messaging, clock, log } = options
  const found = new LRUCache<string, { key: FoundKey; untilMs: number }>({ max: MAX_REMEMBERED })
  const unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN_REMEMBERED })
  const asking = new Map<string, Promise<FoundKey | undefined>>()

  async function askIdentity(digest: string): Promise<FoundKey | undefined> {
    try {
      const { key } = await ask(messaging, FindApiKey, { digest }, { timeoutMs: ASK_TIMEOUT_MS })
      const now = clock.now().getTime()
      if (!key) {
        unknown.set(digest, now + UNKNOWN_REMEMBERED_MS)
        return undefined
      }
      const expiresAtMs = key.expiresAt === undefined ? Infinity : Date.parse(key.expiresAt)
      const read = { id: key.id, permissions: knownPermissions(key.permissions), expiresAtMs }
      found.set(digest, { key: read, untilMs: now + REMEMBERED_MS })
      return read
    } catch (error) {
      log.debug({ err: error }, 'nobody can say whose key this is, so it counts for nothing')
      return undefined
    }
  }

  async function find(digest: string): Promise<FoundKey | undefined> {
    const now = clock.now().getTime()
    const before = found.get(digest)
    if (before && before.untilMs > now) return before.key
    if ((unknown.get(digest) ?? 0) > now) return undefined
    const underWay = asking.get(digest)
    if (underWay) return underWay
    if (asking.size >= MAX_ASKING) return undefined
    const asked = askIdentity(digest).finally(() => asking.delete(digest))
    asking.set(digest, asked)
    return asked
  }

  return async (text) => {
    const key = await find(apiKeyDigest(text))
    if (!key || key.expiresAtMs <= clock.now().getTime()) return undefined
    return { id: key.id, actor: { kind: 'admin', userId: key.id, permissions: key.permissions } }
  }
}
